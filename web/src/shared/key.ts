import { idempotencyKey } from '@recense/client';
import { useRef } from 'preact/hooks';

/** The same key for the same content, sent again after an answer that was lost: then it is not made twice. */
export function useKey(): (content: object) => string {
  const sent = useRef({ text: '', key: '' });
  return (content) => {
    const text = JSON.stringify(content);
    if (text !== sent.current.text) sent.current = { text, key: idempotencyKey() };
    return sent.current.key;
  };
}
