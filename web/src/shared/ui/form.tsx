import { ApiError } from '@recense/client';
import type { ProblemDto } from '@recense/client';
import type { AllHTMLAttributes, ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';
import { api, errorsOf, isProblem } from '../api.js';
import { t } from '../texts.js';
import type { TextKey } from '../texts.js';

interface FieldProps {
  label: string;
  hint?: string;
  /** What the service says of it. */
  errors?: string[];
  children: (props: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: boolean;
  }) => ComponentChildren;
}

/** The id of the label of the control with that id. */
export const labelOf = (id: string): string => `${id}-label`;

/** A label, its control, a hint and what is wrong with it. */
export function Field({ label, hint, errors, children }: FieldProps) {
  const id = useId();
  const isWrong = errors !== undefined && errors.length > 0;
  const described = [hint && `${id}-hint`, isWrong && `${id}-errors`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id} id={labelOf(id)}>
        {label}
      </label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(isWrong && { 'aria-invalid': true }),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {isWrong && (
        <p class="wrong" id={`${id}-errors`}>
          {errors.join(' ')}
        </p>
      )}
    </div>
  );
}

type More =
  | 'autoComplete'
  | 'autoCapitalize'
  | 'spellcheck'
  | 'required'
  | 'inputMode'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'step'
  | 'list'
  | 'disabled'
  | 'placeholder';

interface InputProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  errors?: string[];
  name?: string;
  type?: 'text' | 'password' | 'search' | 'date' | 'number' | 'email';
  /** As many lines as are shown, of a text that may have several: an input of one line would take their ends away. */
  rows?: number;
  /** What else the element takes. */
  more?: Partial<Pick<AllHTMLAttributes<HTMLInputElement>, More>>;
}

export function TextInput({
  label,
  value,
  onInput,
  hint,
  errors,
  name,
  type = 'text',
  rows,
  more,
}: InputProps) {
  return (
    <Field label={label} {...(hint && { hint })} {...(errors && { errors })}>
      {(props) => {
        const all = { ...more, ...props, ...(name && { name }), value };
        return rows ? (
          <textarea {...all} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
        ) : (
          <input
            {...({ ...all, type } as InputHTMLAttributes)}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        );
      }}
    </Field>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: [value: string, text: string][];
  errors?: string[];
  onChange: (value: string) => void;
}

export function Select({ label, value, options, errors, onChange }: SelectProps) {
  return (
    <Field label={label} {...(errors && { errors })}>
      {(props) => (
        <select {...props} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** What a form or a button does when it is sent: one at a time, with what came of it. */
export function useAction<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (...args: Args): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work(...args);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, error, errors: errorsOf(error) };
}

/** Failures and answers of requests that change something for whoever is signed in. */
const changing = new WeakSet<object>();
api.use({
  onError({ request, error }) {
    if (isChange(request) && error instanceof Error) changing.add(error);
  },
  onResponse({ request, response }) {
    if (isChange(request)) changing.add(response);
  },
});

const isChange = ({ method, headers }: Request): boolean => method !== 'GET' && headers.has('Authorization');

/** Where the service did not answer, or somebody else did: what was to be changed may have been changed all the same. */
const unansweredOf = (error: object): TextKey =>
  changing.has(error instanceof ApiError ? error.response : error) ? 'error.unanswered' : 'error.network';

/** Of the device, such as a storage that is full; requests that have ended or took too long say so by these names. */
const isUnkept = (error: unknown): boolean =>
  error instanceof DOMException && !['AbortError', 'TimeoutError'].includes(error.name);

/** The sentence of the service, but where that names the part of its answer that says more. */
const detailOf = ({ problem }: ApiError & { problem: ProblemDto }): string =>
  problem.type === '/problems/validation-failed' ? t('error.fields') : problem.detail;

/** What went wrong, in a sentence; `known` fields are told at their inputs, all others here. */
export function Problem({ error, known = [] }: { error: unknown; known?: string[] }) {
  if (error === undefined || error === null) return null;
  const others = Object.entries(errorsOf(error)).filter(([name]) => !known.includes(name));
  return (
    <div class="notice notice-error" role="alert">
      <p>{isProblem(error) ? detailOf(error) : t(isUnkept(error) ? 'error.unkept' : unansweredOf(error))}</p>
      {others.length > 0 && (
        <ul>
          {others.map(([name, messages]) => (
            <li key={name}>{t('named', { name, value: messages.join(' ') })}</li>
          ))}
        </ul>
      )}
      {isProblem(error) && error.problem.status >= 500 && (
        <p class="hint">{t('error.request', { id: error.problem.request_id })}</p>
      )}
    </div>
  );
}
