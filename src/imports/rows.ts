import {
  BooleanField,
  ChoiceField,
  CodeField,
  DateField,
  EmailField,
  IdField,
  MoneyField,
  NameField,
  TextField,
} from '../contract/fields.js';
import { EQUIPMENT_STATUSES } from '../equipment/equipment.entity.js';
import { DISPOSAL_REASONS } from '../purchases/purchase.entity.js';
import { CreatePurchaseDto } from '../purchases/purchases.dto.js';
import { TIER_TYPES } from '../tiers/tier.entity.js';

/** What a line holds of the resources that the API only reads; for the others it is what a POST takes. */
const optional = { optional: true, nullable: true };

export class NameRow {
  @NameField({ max: 255 })
  name: string;
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

export class PurchaseRow extends CreatePurchaseDto {
  @DateField(optional)
  disposed_on?: string | null;

  @ChoiceField({ ...optional, of: DISPOSAL_REASONS })
  disposal_reason?: string | null;

  @MoneyField(optional)
  disposal_proceeds?: number | null;

  @TextField({ ...optional, max: 500 })
  disposal_note?: string | null;
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
