import { field } from '../contract/field.js';
import {
  BooleanField,
  ChoiceField,
  CodeField,
  DateField,
  EmailField,
  IdField,
  IntegerField,
  NameField,
  TextField,
} from '../contract/fields.js';
import { say } from '../common/messages.js';
import { EQUIPMENT_STATUSES } from '../equipment/equipment.entity.js';
import { AMORTIZATION_METHODS } from '../reference/reference.entity.js';
import { TIER_TYPES } from '../tiers/tier.entity.js';
import { importMessages } from './imports.messages.js';

/** What a line holds of the resources that the API only reads; for the others it is what a POST takes. */
const optional = { optional: true, nullable: true };
const MAX_COEFFICIENT = 99.99;

const isCoefficient = (value: unknown): boolean =>
  typeof value === 'number' && value > 0 && value <= MAX_COEFFICIENT && Number(value.toFixed(2)) === value;

export class NameRow {
  @NameField({ max: 255 })
  name: string;
}

export class AmortizationCategoryRow extends NameRow {
  @ChoiceField({ of: AMORTIZATION_METHODS })
  method: string;

  @IntegerField({ min: 1, max: 100 })
  duration_years: number;

  @field(optional, { type: 'number' }, (value) =>
    isCoefficient(value) ? null : say(importMessages.decimal, 0.01, MAX_COEFFICIENT),
  )
  declining_coefficient?: number | null;
}

export class LocationRow extends NameRow {
  @CodeField(optional)
  code?: string | null;

  /** A code, or a path of names. */
  @TextField({ ...optional, max: 5000 })
  parent?: string | null;

  @BooleanField({ optional: true })
  is_active?: boolean;
}

export class EquipmentRow extends NameRow {
  @NameField({ max: 100 })
  reference: string;

  @TextField({ ...optional, max: 255 })
  serial_number?: string | null;

  @TextField({ ...optional, max: 255 })
  brand?: string | null;

  @TextField({ ...optional, max: 255 })
  model?: string | null;

  @TextField({ ...optional, max: 255 })
  category?: string | null;

  @ChoiceField({ optional: true, of: EQUIPMENT_STATUSES })
  status?: string;

  @TextField({ ...optional, max: 255 })
  location?: string | null;

  @DateField(optional)
  commissioned_on?: string | null;

  @IdField(optional)
  tier_id?: number | null;

  @TextField({ ...optional, max: 5000 })
  notes?: string | null;
}

export class TierRow extends NameRow {
  @NameField({ max: 100 })
  reference: string;

  @ChoiceField({ optional: true, of: TIER_TYPES })
  type?: string;

  @EmailField(optional)
  email?: string | null;

  @TextField({ ...optional, max: 50 })
  phone?: string | null;

  @TextField({ ...optional, max: 500 })
  address?: string | null;

  @TextField({ ...optional, max: 20 })
  postal_code?: string | null;

  @TextField({ ...optional, max: 255 })
  city?: string | null;

  @TextField({ ...optional, max: 100 })
  country?: string | null;

  @BooleanField({ optional: true })
  is_active?: boolean;
}
