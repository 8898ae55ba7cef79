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
  empty: string;
  label: string;
  row: (row: Row) => ComponentChildren;
}

/** A list of the service, page by page: more comes when the reader asks for it. */
export function List<Row extends object>({ load, on, empty, label, row }: ListProps<Row>) {
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

  const read = async (from: string, { isQuiet = false } = {}): Promise<void> => {
    const turn = ++reading.current;
    if (!isQuiet) setState({ isLoading: true });
    isLong.current = from !== '';
    try {
      const page = await load(from);
      if (turn !== reading.current) return; // another one was asked for since
      setRows((before) => (from === '' ? page.data : [...(before ?? []), ...page.data]));
      setCursor(page.meta.next_cursor ?? null);
      setState({ isLoading: false });
    } catch (error) {
      if (turn !== reading.current || isQuiet) return;
      if (from === '') setRows(undefined); // those of another search do not stand for this one
      setState({ isLoading: false, error, from });
    }
  };
  /** How much of it whoever comes back to the page had read. */
  const wanted = useRef(entry().rows ?? 0);
  useEffect(() => {
    void read('');
    return () => {
      reading.current += 1;
      wanted.current = 0;
    };
  }, on);
  useEffect(() => {
    if (rows === undefined || state.isLoading) return;
    const isMore = rows.length < wanted.current && cursor !== null && state.error === undefined;
    if (isMore) void read(cursor);
    else keepEntry({ rows: rows.length });
  }, [rows, state]);
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
