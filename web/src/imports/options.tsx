import { t } from '../shared/texts.js';
import { Select, TextInput } from '../shared/ui/form.js';
import type { Kind, Options } from './running.js';

interface OptionsProps {
  kind: Kind;
  options: Options;
  errors: Record<string, string[]>;
  onChange: (options: Options) => void;
}

/** What the service finds out by itself, for a file that leaves it open. */
export function ImportOptions({ kind, options, errors, onChange }: OptionsProps) {
  const choice = (name: keyof Options, values: [string, string][]) => (
    <Select
      label={t(`imports.option.${name}` as 'imports.option.mode')}
      value={String(options[name] ?? '')}
      options={[['', t('imports.auto')], ...values]}
      onChange={(value) => onChange({ ...options, [name]: value === '' ? undefined : value })}
      {...(errors[name] && { errors: errors[name] })}
    />
  );
  return (
    <details>
      <summary>{t('imports.options')}</summary>
      <div class="grid">
        {choice('mode', [
          ['create', t('imports.mode.create')],
          ['update', t('imports.mode.update')],
        ])}
        {choice('dates', [
          ['dmy', '31/12/2026'],
          ['mdy', '12/31/2026'],
          ['iso', '2026-12-31'],
        ])}
        {choice('decimal', [
          ['comma', '1 234,56'],
          ['point', '1,234.56'],
        ])}
        {choice('delimiter', [
          ['comma', ','],
          ['semicolon', ';'],
          ['tab', t('imports.tab')],
          ['pipe', '|'],
        ])}
        {choice('encoding', [
          ['utf-8', 'UTF-8'],
          ['utf-16', 'UTF-16'],
          ['windows-1252', 'Windows-1252'],
        ])}
        <TextInput
          label={t('imports.option.sheet')}
          value={options.sheet ?? ''}
          onInput={(sheet) => onChange({ ...options, sheet: sheet || undefined })}
          {...(errors.sheet && { errors: errors.sheet })}
        />
        {kind === 'purchases' && (
          <TextInput
            label={t('imports.option.default_purchase_date')}
            type="date"
            value={options.default_purchase_date ?? ''}
            onInput={(day) => onChange({ ...options, default_purchase_date: day || undefined })}
            {...(errors.default_purchase_date && { errors: errors.default_purchase_date })}
          />
        )}
      </div>
    </details>
  );
}
