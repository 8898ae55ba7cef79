import { useEffect, useState } from 'preact/hooks';
import { query, setQuery } from '../router.js';
import { t } from '../texts.js';
import { TextInput } from './form.js';

const PAUSE_MS = 250;

/** What is looked for, in the address: it is there again for who comes back. Looks once the reader has stopped typing. */
export function Search({ hint }: { hint?: string }) {
  const asked = query.value.get('search') ?? '';
  const [text, setText] = useState(asked);
  useEffect(() => {
    if (text.trim() === asked) return;
    const timer = setTimeout(() => setQuery({ search: text.trim() || undefined }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    if (asked !== text.trim()) setText(asked); // it was cleared, or another address was followed
  }, [asked]);
  return (
    <TextInput label={t('search')} type="search" value={text} onInput={setText} {...(hint && { hint })} />
  );
}
