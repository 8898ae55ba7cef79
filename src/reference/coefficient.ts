import { say } from '../common/messages.js';
import type { FieldErrors } from '../common/errors.js';
import { field } from '../contract/field.js';
import type { FieldOptions } from '../contract/field.js';
import { referenceMessages } from './reference.messages.js';

const MAX_COEFFICIENT = 99.99;

/** A factor of the linear rate, as far as a number alone can be judged. */
export function CoefficientField(options: FieldOptions): PropertyDecorator {
  const isCoefficient = (value: unknown): boolean =>
    typeof value === 'number' && value > 0 && value <= MAX_COEFFICIENT && Number(value.toFixed(2)) === value;
  return field(
    options,
    { type: 'number', format: 'double', minimum: 0.01, maximum: MAX_COEFFICIENT, multipleOf: 0.01 },
    (value) => (isCoefficient(value) ? null : say(referenceMessages.coefficient, 0.01, MAX_COEFFICIENT)),
  );
}

/** `method`, `duration_years` and `declining_coefficient`, beside whatever else a row has. */
type Terms = Record<string, unknown>;

/**
 * A declining category always has a coefficient, a linear one never: completes what is written, where anything of it
 * is. `stored` is what it was before: the usual one of its duration gives way to that of another duration.
 */
export function coefficientRule(values: Terms, stored?: Terms): FieldErrors {
  const { method, duration_years } = { ...stored, ...values };
  const before = stored && isUsual(stored) ? null : stored?.declining_coefficient;
  const { declining_coefficient = before } = values;
  if (method === 'linear') {
    const isGiven = (values.declining_coefficient ?? null) !== null;
    values.declining_coefficient = null;
    return isGiven ? { declining_coefficient: [say(referenceMessages.coefficient_linear)] } : {};
  }
  values.declining_coefficient = declining_coefficient ?? usualCoefficient(Number(duration_years));
  return values.declining_coefficient === null
    ? { declining_coefficient: [say(referenceMessages.coefficient_required)] }
    : {};
}

const isUsual = ({ duration_years, declining_coefficient }: Terms): boolean =>
  declining_coefficient === usualCoefficient(Number(duration_years));

/** France: CGI, annexe II, art. 23; BOI-BIC-AMT-20-20-30. Nothing below 3 years declines there. */
function usualCoefficient(years: number): number | null {
  if (years < 3) return null;
  if (years <= 4) return 1.25;
  return years <= 6 ? 1.75 : 2.25;
}
