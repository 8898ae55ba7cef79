import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts.js';
import { Problem } from './form.js';
import { Empty } from './parts.js';

interface Page<Row> {
  data: Row[];
  meta: { next_cursor?: string | null };
}

interface ListProps<Row> {
  /** A page of the list from the service; the first with `cursor` empty. */
  load: (cursor: string) => Promise<Page<Row>>;
  /** It is read anew from its beginning when one of these has changed. */
  on: unknown[];
  empty: string;
  label: string;
  row: (row: Row) => ComponentChildren;
}

/** A list of the service, page by page: more comes when the reader asks for it. */
export function List<Row extends object>({ load, on, empty, label, row }: ListProps<Row>) {
  const [rows, setRows] = useState<Row[]>();
  const [cursor, setCursor] = useState<string | null>(null);
  const [state, setState] = useState<{ isLoading: boolean; error?: unknown }>({ isLoading: true });
  const reading = useRef(0);

  const read = async (from: string): Promise<void> => {
    const turn = ++reading.current;
    setState({ isLoading: true });
    try {
      const page = await load(from);
      if (turn !== reading.current) return; // another one was asked for since
      setRows((before) => (from === '' ? page.data : [...(before ?? []), ...page.data]));
      setCursor(page.meta.next_cursor ?? null);
      setState({ isLoading: false });
    } catch (error) {
      if (turn === reading.current) setState({ isLoading: false, error });
    }
  };
  useEffect(() => {
    void read('');
    return () => {
      reading.current += 1;
    };
  }, on);

  return (
    <>
      {rows?.length === 0 && <Empty>{empty}</Empty>}
      {rows !== undefined && rows.length > 0 && (
        <ul class="list" aria-label={label}>
          {rows.map((one, at) => (
            <li key={'id' in one ? one.id : at}>{row(one)}</li>
          ))}
        </ul>
      )}
      <Problem error={state.error} />
      {state.isLoading && <p role="status">{t('loading')}</p>}
      {!state.isLoading && (cursor !== null || state.error !== undefined) && (
        <button type="button" onClick={() => void read(rows ? (cursor ?? '') : '')}>
          {state.error === undefined ? t('more') : t('again')}
        </button>
      )}
    </>
  );
}
