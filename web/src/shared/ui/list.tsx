import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useReturn } from '../load.js';
import { entry, keepEntry } from '../router.js';
import { count, t } from '../texts.js';
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
  /** When this has changed, as much of it is read anew as was shown. */
  renewed?: unknown;
  empty: string;
  label: string;
  row: (row: Row) => ComponentChildren;
}

/** A list of the service, page by page: more comes when the reader asks for it. */
export function List<Row extends object>({ load, on, renewed, empty, label, row }: ListProps<Row>) {
  const [rows, setRows] = useState<Row[]>();
  const [cursor, setCursor] = useState<string | null>(null);
  const [state, setState] = useState<{ isLoading: boolean; error?: unknown; from?: string }>({
    isLoading: true,
  });
  const reading = useRef(0);
  const list = useRef<HTMLUListElement>(null);
  const [first, setFirst] = useState<number>();

  /** Whether more was asked for than its first page: whoever has read on stays where he is. */
  const isLong = useRef(false);

  /** @param least as many rows as are to be read, where there are */
  const read = async (from: string, { isQuiet = false, least = 0 } = {}): Promise<void> => {
    const turn = ++reading.current;
    if (!isQuiet) setState({ isLoading: true });
    isLong.current = from !== '';
    try {
      const page = await load(from);
      const all = [...page.data];
      let next = page.meta.next_cursor ?? null;
      while (next !== null && all.length < least && turn === reading.current) {
        const more = await load(next).catch(() => undefined);
        if (!more) break; // it goes on from there at the reader's word
        all.push(...more.data);
        next = more.meta.next_cursor ?? null;
        isLong.current = true;
      }
      if (turn !== reading.current) return; // another one was asked for since
      setRows((before) => (from === '' ? all : [...(before ?? []), ...all]));
      setCursor(next);
      setState({ isLoading: false });
    } catch (error) {
      if (turn !== reading.current || isQuiet) return;
      if (from === '') setRows(undefined); // those of another search do not stand for this one
      setState({ isLoading: false, error, from });
    }
  };
  /** How much of it is to be shown at once: what whoever comes back to the page had read. */
  const shown = useRef(entry().rows ?? 0);
  useEffect(() => {
    void read('', { least: shown.current });
    return () => {
      reading.current += 1;
      shown.current = 0;
    };
  }, on);
  useEffect(() => {
    if (rows !== undefined) void read('', { least: rows.length });
  }, [renewed]);
  useEffect(() => {
    if (rows !== undefined) keepEntry({ rows: rows.length });
  }, [rows]);
  useReturn(() => {
    if (!state.isLoading && !isLong.current) void read('', { isQuiet: true });
  });
  useLayoutEffect(() => {
    if (first === undefined || state.isLoading) return;
    list.current?.querySelectorAll<HTMLElement>(':scope > li')[first]?.focus(); // the button that had it may be gone
    setFirst(undefined);
  }, [state]);

  return (
    <>
      <div role="status">
        {rows?.length === 0 && <Empty>{empty}</Empty>}
        {rows !== undefined && rows.length > 0 && reading.current > 1 && (
          <span class="unseen">{count('list.shown', rows.length)}</span>
        )}
      </div>
      {rows !== undefined && rows.length > 0 && (
        <ul class="list" aria-label={label} ref={list}>
          {rows.map((one, at) => (
            <li key={'id' in one ? one.id : at} tabIndex={-1}>
              {row(one)}
            </li>
          ))}
        </ul>
      )}
      <Problem error={state.error} />
      <div role="status">{state.isLoading && <p>{t('loading')}</p>}</div>
      {!state.isLoading && (cursor !== null || state.error !== undefined) && (
        <button
          type="button"
          onClick={() => {
            setFirst(rows?.length ?? 0);
            void read(state.from ?? cursor ?? '');
          }}
        >
          {state.error === undefined ? t('more') : t('again')}
        </button>
      )}
    </>
  );
}
