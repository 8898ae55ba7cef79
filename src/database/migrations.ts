import { Auth1763600001000 } from '../../migrations/1763600001000-auth.js';
import { Reference1763600002000 } from '../../migrations/1763600002000-reference.js';
import { Catalogue1763600003000 } from '../../migrations/1763600003000-catalogue.js';
import { Inventories1763600004000 } from '../../migrations/1763600004000-inventories.js';
import { EquipmentAndTiers1763600005000 } from '../../migrations/1763600005000-equipment-and-tiers.js';
import { Changes1763600006000 } from '../../migrations/1763600006000-changes.js';
import { IdempotencyKeys1763600007000 } from '../../migrations/1763600007000-idempotency-keys.js';
import { Audit1763600008000 } from '../../migrations/1763600008000-audit.js';
import { Throttle1763600009000 } from '../../migrations/1763600009000-throttle.js';
import { NameKey1763600010000 } from '../../migrations/1763600010000-name-key.js';
import { UniqueNames1763600011000 } from '../../migrations/1763600011000-unique-names.js';
import { LoginKeys1763600012000 } from '../../migrations/1763600012000-login-keys.js';
import { RegisterCodes1763600013000 } from '../../migrations/1763600013000-register-codes.js';
import { AuditUpdates1763600014000 } from '../../migrations/1763600014000-audit-updates.js';
import { Locations1763600015000 } from '../../migrations/1763600015000-locations.js';
import { PurchaseLocations1763600016000 } from '../../migrations/1763600016000-purchase-locations.js';
import { PurchaseLocationIndex1763600017000 } from '../../migrations/1763600017000-purchase-location-index.js';
import { ScanMessages1763600018000 } from '../../migrations/1763600018000-scan-messages.js';
import { Reports1763600019000 } from '../../migrations/1763600019000-reports.js';
import { ScanPlaces1763600020000 } from '../../migrations/1763600020000-scan-places.js';
import { RecordedIndex1763600021000 } from '../../migrations/1763600021000-recorded-index.js';
import { SessionScope1763600022000 } from '../../migrations/1763600022000-session-scope.js';
import { UnknownCodes1763600023000 } from '../../migrations/1763600023000-unknown-codes.js';
import { Closing1763600024000 } from '../../migrations/1763600024000-closing.js';
import { FrozenNames1763600025000 } from '../../migrations/1763600025000-frozen-names.js';
import { CountingParts1763600026000 } from '../../migrations/1763600026000-counting-parts.js';
import { ReferenceByHand1763600030000 } from '../../migrations/1763600030000-reference-by-hand.js';
import { LiveNames1763600031000 } from '../../migrations/1763600031000-live-names.js';
import { NamesOfTheLiving1763600032000 } from '../../migrations/1763600032000-names-of-the-living.js';
import { NamesOfAll1763600033000 } from '../../migrations/1763600033000-names-of-all.js';
import { AuditRestores1763600034000 } from '../../migrations/1763600034000-audit-restores.js';
import { ClosedLines1763600035000 } from '../../migrations/1763600035000-closed-lines.js';
import { FieldsUnlike1763600036000 } from '../../migrations/1763600036000-fields-unlike.js';
import { Disposals1763600050000 } from '../../migrations/1763600050000-disposals.js';
import { DisposalIndex1763600051000 } from '../../migrations/1763600051000-disposal-index.js';
import { AuditDisposals1763600052000 } from '../../migrations/1763600052000-audit-disposals.js';
import { Imports1763600060000 } from '../../migrations/1763600060000-imports.js';
import { Webhooks1763600070000 } from '../../migrations/1763600070000-webhooks.js';
import { OtherCodes1763600090000 } from '../../migrations/1763600090000-other-codes.js';
import { OtherCodesChecked1763600091000 } from '../../migrations/1763600091000-other-codes-checked.js';
import { ScanSources1763600092000 } from '../../migrations/1763600092000-scan-sources.js';
import { Attachments1763600100000 } from '../../migrations/1763600100000-attachments.js';
import { HistoryIndexes1763600120000 } from '../../migrations/1763600120000-history-indexes.js';
import { Assignments1763600130000 } from '../../migrations/1763600130000-assignments.js';
import { AssignmentIndexes1763600131000 } from '../../migrations/1763600131000-assignment-indexes.js';
import { OwnFields1763600140000 } from '../../migrations/1763600140000-own-fields.js';
import { OwnFieldIndexes1763600141000 } from '../../migrations/1763600141000-own-field-indexes.js';
import { EarlierSecrets1763600150000 } from '../../migrations/1763600150000-earlier-secrets.js';
import { PurchaseCounts1763600160000 } from '../../migrations/1763600160000-purchase-counts.js';
import { CodeKeys1763600170000 } from '../../migrations/1763600170000-code-keys.js';
import { PurchaseJoins1763600180000 } from '../../migrations/1763600180000-purchase-joins.js';
import { FrozenComparison1763600181000 } from '../../migrations/1763600181000-frozen-comparison.js';
import { RepeatedReads1763600182000 } from '../../migrations/1763600182000-repeated-reads.js';
import { RepeatedReadsIndex1763600183000 } from '../../migrations/1763600183000-repeated-reads-index.js';
import { TrimmedChoices1763600190000 } from '../../migrations/1763600190000-trimmed-choices.js';
import { LinkedCodes1763600191000 } from '../../migrations/1763600191000-linked-codes.js';
import { ContinuedScans1763600192000 } from '../../migrations/1763600192000-continued-scans.js';
import { EpcUris1763600193000 } from '../../migrations/1763600193000-epc-uris.js';
import { UnknownCodeRemarks1763600194000 } from '../../migrations/1763600194000-unknown-code-remarks.js';

/** Every migration in order. A list rather than a pattern on files: the same from TypeScript, from dist and in tests. */
export const migrations = [
  Auth1763600001000,
  Reference1763600002000,
  Catalogue1763600003000,
  Inventories1763600004000,
  EquipmentAndTiers1763600005000,
  Changes1763600006000,
  IdempotencyKeys1763600007000,
  Audit1763600008000,
  Throttle1763600009000,
  NameKey1763600010000,
  UniqueNames1763600011000,
  LoginKeys1763600012000,
  RegisterCodes1763600013000,
  AuditUpdates1763600014000,
  Locations1763600015000,
  PurchaseLocations1763600016000,
  PurchaseLocationIndex1763600017000,
  ScanMessages1763600018000,
  Reports1763600019000,
  ScanPlaces1763600020000,
  RecordedIndex1763600021000,
  SessionScope1763600022000,
  UnknownCodes1763600023000,
  Closing1763600024000,
  FrozenNames1763600025000,
  CountingParts1763600026000,
  ReferenceByHand1763600030000,
  LiveNames1763600031000,
  NamesOfTheLiving1763600032000,
  NamesOfAll1763600033000,
  AuditRestores1763600034000,
  ClosedLines1763600035000,
  FieldsUnlike1763600036000,
  Disposals1763600050000,
  DisposalIndex1763600051000,
  AuditDisposals1763600052000,
  Imports1763600060000,
  Webhooks1763600070000,
  OtherCodes1763600090000,
  OtherCodesChecked1763600091000,
  ScanSources1763600092000,
  Attachments1763600100000,
  HistoryIndexes1763600120000,
  Assignments1763600130000,
  AssignmentIndexes1763600131000,
  OwnFields1763600140000,
  OwnFieldIndexes1763600141000,
  EarlierSecrets1763600150000,
  PurchaseCounts1763600160000,
  CodeKeys1763600170000,
  PurchaseJoins1763600180000,
  FrozenComparison1763600181000,
  RepeatedReads1763600182000,
  RepeatedReadsIndex1763600183000,
  TrimmedChoices1763600190000,
  LinkedCodes1763600191000,
  ContinuedScans1763600192000,
  EpcUris1763600193000,
  UnknownCodeRemarks1763600194000,
];
