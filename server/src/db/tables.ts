// Written from server/migrations by `npm run tables`; edits are lost.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type {
  AccountStatus,
  AccountType,
  ApplySource,
  AuditPage,
  CollectedMethod,
  ExportPayload,
  Grant,
  HoldingStatus,
  IdType,
  JsonObject,
  Lang,
  LinkState,
  LogAction,
  LoginProof,
  Manifest,
  Module,
  Network,
  PackageStatus,
  PayMethod,
  PortalDocument,
  PortalImage,
  RemoteEnd,
  RemoteService,
  Residue,
  RouterLogin,
  SessionInfo,
  TargetState,
  TemplatePart,
  TemplateVariable,
  UpgradeReason,
} from './column-types.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface AccountChangeTable {
  id: Generated<number>;
  subscriber_id: number | null;
  device_id: number | null;
}

export interface AccountSyncTable {
  device_id: number;
  rev: Generated<number>;
  acked: Generated<number>;
  is_whole: Generated<boolean>;
  is_lost: Generated<boolean>;
  whole_to: Generated<number>;
  round_at: number | null;
  round_from: Generated<number>;
  acked_at: number | null;
  digest: string | null;
  odd_digest: string | null;
  restarted_at: number | null;
}

export interface AcmeAccountTable {
  directory: string;
  key: string;
  account_url: string | null;
  create_at: number;
}

export interface AcmeOrderTable {
  id: Generated<number>;
  domain_id: number;
  domain: string;
  state: Generated<'new' | 'validating' | 'finalizing' | 'done' | 'failed'>;
  key: string;
  order_url: string | null;
  token: string | null;
  key_authorization: string | null;
  attempts: Generated<number>;
  lease_until: Generated<number>;
  error: string | null;
  create_at: number;
  update_at: number;
}

export interface AgentTable {
  id: Generated<number>;
  parent_id: number | null;
  path: string;
  agent_level: number;
  name: string;
  code: string;
  third_id: string | null;
  contacts: string | null;
  phone: string | null;
  email: string | null;
  introduction: string | null;
  role_id: number | null;
  prefix_id: number | null;
  agent_mode: 1 | 2 | 3 | 4;
  agent_child_enable: Generated<boolean>;
  logo: string | null;
  device_password: string | null;
  device_password_at: number | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
  device_login: ColumnType<LoginProof | null, string | null | undefined, string | null>;
  enrol_auto: Generated<boolean>;
  device_count: Generated<number>;
  card_count: Generated<number>;
  device_logo: string | null;
  device_logo_sha256: string | null;
  device_logo_size: number | null;
}

export interface AgentBranchTable {
  id: number | null;
  path: string | null;
  name: string | null;
}

export interface AgentFlowDayTable {
  kind: 'flow_usr' | 'flow_mgt' | 'dpi_usr' | 'dpi_mgt';
  time: number;
  agent_id: number;
  up_bytes: number;
  down_bytes: number;
  row_count: Generated<number>;
  hour_row_count: Generated<number>;
}

export interface AgentFlowHourTable {
  kind: 'flow_usr' | 'flow_mgt' | 'dpi_usr' | 'dpi_mgt';
  time: number;
  agent_id: number;
  up_bytes: number;
  down_bytes: number;
  row_count: Generated<number>;
}

export interface AgentPastTable {
  id: number;
  path: string;
  name: string;
}

export interface ApTable {
  device_id: number;
  mac: string;
  name: string;
  ip: string | null;
  state: 'up' | 'offline';
  stations: number | null;
  at: number;
}

export interface ApLinkLogTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number;
  sn: string;
  ap_name: string;
  ap_mac: string | null;
  ap_ip: string | null;
  ap_state: 'up' | 'offline';
  notified: Generated<boolean>;
  duration: number | null;
  create_at: number;
  from_event: Generated<boolean>;
}

export interface ApLookTable {
  device_id: number;
  mac: string;
  at: number;
  state: 'up' | 'offline';
}

export interface AppFlowTable {
  device_id: number;
  at: number;
  seconds: number;
  app: string;
  account: string | null;
  up_bytes: number;
  down_bytes: number;
  sessions: number | null;
}

export interface ApplicationTable {
  id: Generated<number>;
  agent_id: number;
  name: string;
  mode: 0 | 1;
  configure: string[];
  remark: string | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface AttemptTable {
  name: string;
  count: number;
  update_at: number;
}

export interface AuditAuthTable {
  id: GeneratedAlways<number>;
  stored_at: number;
  batch: string;
  n: number;
  device_id: number;
  agent_id: number;
  subscriber_id: number | null;
  at: number;
  account: string;
  ip: string | null;
  mac: string | null;
  auth_action: 'login' | 'logout';
  login_at: number | null;
  logout_at: number | null;
  public_ip: string | null;
  port_range: string | null;
  session_id: string | null;
  key_id: number | null;
  sealed: Buffer | null;
  commitment: Buffer | null;
  added_commitment: Buffer | null;
  name_index: number | null;
  phone_index: number | null;
  id_number_index: number | null;
}

export interface AuditBatchTable {
  id: string;
  kind: 'auth' | 'identity' | 'url' | 'forum' | 'mail' | 'terminal';
  device_id: number;
  agent_id: number;
  boot: string;
  seq: number;
  count: number;
  stored_at: number;
  root: Buffer;
  added_root: Buffer;
  signature: Buffer | null;
  seal: number | null;
}

export interface AuditErasureTable {
  id: GeneratedAlways<number>;
  agent_id: number;
  subscriber_id: number;
  account: string;
  reason: string;
  key_count: number;
  operator: string;
  create_at: number;
}

export interface AuditFindingTable {
  id: GeneratedAlways<number>;
  verification_id: number;
  type: 'row_altered' | 'row_missing' | 'row_added' | 'sealed_altered' | 'batch_altered' | 'batch_missing' | 'batch_added' | 'minute_missing' | 'week_missing' | 'week_returned' | 'drop_early' | 'log_altered' | 'log_shorter' | 'checkpoint_invalid' | 'log_restored' | 'log_rewritten' | 'key_replaced' | 'copy_damaged';
  kind: 'auth' | 'identity' | 'url' | 'forum' | 'mail' | 'terminal' | null;
  from_at: number | null;
  to_at: number | null;
  batch: string | null;
  device_id: number | null;
  n: number | null;
  count: Generated<number>;
}

export interface AuditForumTable {
  id: GeneratedAlways<number>;
  stored_at: number;
  batch: string;
  n: number;
  device_id: number;
  agent_id: number;
  subscriber_id: number | null;
  at: number;
  account: string;
  ip: string | null;
  mac: string | null;
  forum_name: string;
  forum_action: 'post' | 'reply' | 'browse';
  author: string | null;
  url: string | null;
  key_id: number | null;
  sealed: Buffer | null;
  commitment: Buffer | null;
  added_commitment: Buffer | null;
  title_index: number | null;
}

export interface AuditHeldRowTable {
  id: GeneratedAlways<number>;
  kind: 'auth' | 'identity' | 'url' | 'forum' | 'mail' | 'terminal';
  week: number;
  batch: string;
  n: number;
  device_id: number;
  agent_id: number;
  subscriber_id: number | null;
  at: number;
  content: ColumnType<Json, string, string>;
  proof: ColumnType<Json, string, string>;
  create_at: number;
}

export interface AuditHoldTable {
  id: GeneratedAlways<number>;
  subject: string | null;
  account: string | null;
  agent_id: number;
  from_at: number;
  to_at: number | null;
  reason: string;
  creator: string;
  create_at: number;
  released_at: number | null;
  release_reason: string | null;
}

export interface AuditIdentityTable {
  id: GeneratedAlways<number>;
  stored_at: number;
  batch: string;
  n: number;
  device_id: number;
  agent_id: number;
  subscriber_id: number | null;
  at: number;
  account: string;
  ip: string | null;
  mac: string | null;
  app_name: string;
  identity: string;
  action: string | null;
  server_ip: string | null;
  server_port: number | null;
  key_id: number | null;
  sealed: Buffer | null;
  commitment: Buffer | null;
  added_commitment: Buffer | null;
}

export interface AuditKeyTable {
  id: GeneratedAlways<number>;
  subject: string;
  month: number;
  wrapped: string;
  create_at: number;
  unusable_at: number | null;
}

export interface AuditLeafTable {
  index: number;
  type: 'key' | 'seal' | 'drop' | 'fork';
  kind: 'auth' | 'identity' | 'url' | 'forum' | 'mail' | 'terminal' | null;
  from_at: number;
  batches: number;
  rows: number;
  root: Buffer;
  note: string | null;
  create_at: number;
  hash: Buffer;
}

export interface AuditLogTable {
  id: Generated<boolean>;
  origin: string;
  public_key: Buffer;
  private_key: string;
  size: Generated<number>;
  root: Buffer;
  checkpoint: Generated<string>;
  signed_at: number;
  run_at: Generated<number>;
  stopped: 'shorter' | 'inconsistent' | 'foreign' | 'unreadable' | null;
  stopped_at: number | null;
  outside: string | null;
  anchored_at: Generated<number>;
  anchor_fault: string | null;
  mailed_at: Generated<number>;
  verified_to: Generated<number>;
  again_from: Generated<number>;
}

export interface AuditLookTable {
  id: GeneratedAlways<number>;
  agent_id: number;
  customer_id: number;
  username: string;
  name: string;
  acted_by: string | null;
  page: AuditPage;
  action: 'list' | 'reveal' | 'export' | 'export_clear';
  condition_zh: string;
  condition_en: string;
  filter_hash: string;
  reason: string;
  row_count: number;
  look_count: number;
  ip: string;
  slot: number;
  create_at: number;
}

export interface AuditMailTable {
  id: GeneratedAlways<number>;
  stored_at: number;
  batch: string;
  n: number;
  device_id: number;
  agent_id: number;
  subscriber_id: number | null;
  at: number;
  account: string;
  ip: string | null;
  mac: string | null;
  direction: 'send' | 'receive';
  attach_count: number | null;
  size: number | null;
  key_id: number | null;
  sealed: Buffer | null;
  commitment: Buffer | null;
  added_commitment: Buffer | null;
  sender_index: number | null;
  receiver_index: number[] | null;
  subject_index: number | null;
}

export interface AuditNodeTable {
  level: number;
  index: number;
  hash: Buffer;
}

export interface AuditReasonTable {
  session_id: number;
  page: string;
  reason: string;
  create_at: number;
}

export interface AuditTerminalTable {
  id: GeneratedAlways<number>;
  stored_at: number;
  batch: string;
  n: number;
  device_id: number;
  agent_id: number;
  subscriber_id: number | null;
  at: number;
  account: string | null;
  ip: string | null;
  mac: string;
  brand: string | null;
  terminal_os: 'android' | 'ios' | 'windows' | 'other';
  ssid: string | null;
  signal: number | null;
  key_id: number | null;
  sealed: Buffer | null;
  commitment: Buffer | null;
  added_commitment: Buffer | null;
}

export interface AuditTerminalStateTable {
  id: GeneratedAlways<number>;
  device_id: number;
  mac: string;
  agent_id: number;
  subscriber_id: number | null;
  account: string | null;
  ip: string | null;
  brand: string | null;
  terminal_os: 'android' | 'ios' | 'windows' | 'other';
  ssid: string | null;
  signal: number | null;
  first_at: number;
  last_at: number;
}

export interface AuditUrlTable {
  id: GeneratedAlways<number>;
  stored_at: number;
  batch: string;
  n: number;
  device_id: number;
  agent_id: number;
  subscriber_id: number | null;
  at: number;
  account: string;
  ip: string | null;
  mac: string | null;
  host: string;
  url: string | null;
  title: string | null;
  category: string | null;
  server_ip: string | null;
  server_port: number | null;
  key_id: number | null;
  sealed: Buffer | null;
  commitment: Buffer | null;
  added_commitment: Buffer | null;
}

export interface AuditVerificationTable {
  id: GeneratedAlways<number>;
  cause: 'nightly' | 'manual';
  from_at: number;
  to_at: number;
  state: 'waiting' | 'running' | 'done' | 'failed';
  done_kinds: Generated<number>;
  done_to: number;
  progress: Generated<number>;
  row_count: Generated<number>;
  batch_count: Generated<number>;
  finding_count: Generated<number>;
  log_size: number | null;
  operator: string | null;
  create_at: number;
  finish_at: number | null;
}

export interface BackupOrderTable {
  id: string;
  device_id: number;
  command_id: string;
  backup_type: 'manual' | 'auto';
  operator: string | null;
  remark: string | null;
  create_at: number;
}

export interface BillBranchMonthTable {
  list: 'card' | 'counter' | 'online' | 'open';
  agent_id: number;
  month: number;
  income: string;
  expend: string;
  discount: string;
  net_income: string;
}

export interface BillBranchMonthOfVnosTable {
  list: string | null;
  agent_id: number | null;
  month: number | null;
  income: string | null;
  expend: string | null;
  discount: string | null;
  net_income: string | null;
}

export interface BillMonthTable {
  list: 'card' | 'counter' | 'online' | 'open';
  agent_id: number;
  month: number;
  income: string;
  expend: string;
  discount: string;
  net_income: string;
}

export interface BillMonthChangeTable {
  id: Generated<number>;
  list: 'card' | 'counter' | 'online' | 'open';
  agent_id: number;
  month: number;
  income: string;
  expend: string;
  discount: string;
  net_income: string;
}

export interface BillMonthOfBillsTable {
  list: string | null;
  agent_id: number | null;
  month: number | null;
  income: string | null;
  expend: string | null;
  discount: string | null;
  net_income: string | null;
}

export interface BusinessDpiDayTable {
  id: GeneratedAlways<number>;
  time: number;
  agent_id: number;
  device_id: number;
  account: string;
  subscriber_id: number | null;
  protocol_id: string;
  session_count: number | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: GeneratedAlways<number>;
}

export interface BusinessDpiHourTable {
  id: GeneratedAlways<number>;
  time: number;
  agent_id: number;
  device_id: number;
  account: string;
  subscriber_id: number | null;
  protocol_id: string;
  session_count: number | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: GeneratedAlways<number>;
}

export interface BusinessFlowDayTable {
  id: GeneratedAlways<number>;
  time: number;
  agent_id: number;
  device_id: number;
  account: string;
  subscriber_id: number | null;
  link: Generated<string>;
  network: Generated<'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit'>;
  seconds: number;
  peak_speed: number | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: GeneratedAlways<number>;
}

export interface BusinessFlowHourTable {
  id: GeneratedAlways<number>;
  time: number;
  agent_id: number;
  device_id: number;
  account: string;
  subscriber_id: number | null;
  link: Generated<string>;
  network: Generated<'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit'>;
  seconds: number;
  peak_speed: number | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: GeneratedAlways<number>;
}

export interface CaptchaTable {
  id: string;
  answer_hash: string;
  expire_at: number;
}

export interface CardRuleTable {
  id: Generated<number>;
  agent_id: number;
  batch_no: string;
  name: string;
  card_type: 'package' | 'amount';
  package_id: number | null;
  period: number | null;
  denomination: string;
  count: number;
  made_count: Generated<number>;
  used_count: Generated<number>;
  device_id: number | null;
  device_group_id: number | null;
  expire_at: number;
  state: Generated<'making' | 'ready' | 'failed'>;
  job_id: number | null;
  customer_id: number | null;
  producer: string;
  remark: string | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
  export_id: number | null;
  revealed_at: number | null;
}

export interface CashHandoverTable {
  id: Generated<number>;
  receipt_no: string;
  agent_id: number;
  customer_id: number | null;
  clerk: string;
  receiver_id: number | null;
  receiver_agent_id: number;
  receiver: string;
  amount: string;
  cash_before: string;
  cash_after: GeneratedAlways<string | null>;
  remark: string | null;
  create_at: number;
  reverses_id: number | null;
}

export interface CoaTaskTable {
  id: Generated<number>;
  session_id: number;
  nas_id: number;
  kind: 'disconnect' | 'change';
  reason: 'kick' | 'quota' | 'expired' | 'change';
  grant_up: number | null;
  grant_down: number | null;
  grant_bytes: number | null;
  state: Generated<'waiting' | 'sent' | 'acked' | 'refused' | 'no_answer'>;
  via: 'radsec' | 'udp' | null;
  error_cause: number | null;
  tries: Generated<number>;
  operator: string | null;
  uid: number | null;
  create_at: number;
  sent_at: number | null;
  finish_at: number | null;
  due_at: Generated<number>;
}

export interface CollectedByOperatorTable {
  customer_id: number | null;
  agent_id: number | null;
  day: number | null;
  pay_method: string | null;
  operator: string | null;
  create_at: number | null;
  entry_id: number | null;
  amount: string | null;
}

export interface CollectionDayTable {
  id: Generated<number>;
  customer_id: number;
  agent_id: number;
  day: number;
  pay_method: CollectedMethod;
  operator: string;
  bills: number;
  income: string;
  expend: string;
  net_income: GeneratedAlways<string | null>;
}

export interface CommandOutputTable {
  command_id: string;
  n: number;
  text: string;
  at: number;
}

export interface ConfigApplyTable {
  id: GeneratedAlways<number>;
  key: string;
  device_id: number;
  agent_id: number;
  state: Generated<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7>;
  source: ApplySource;
  keep: Generated<number>;
  pages: string[];
  bytes: number;
  err: string | null;
  uid: number | null;
  operator: string | null;
  note: string | null;
  campaign_id: number | null;
  create_at: number;
  handed_at: number | null;
  sent_at: number | null;
  trial_at: number | null;
  finish_at: number | null;
  operator_agent_id: number | null;
}

export interface ConfigCampaignTable {
  id: Generated<number>;
  kind: 'template' | 'bulk' | 'copy';
  agent_id: number;
  title_zh: string;
  title_en: string;
  operator: string;
  template_id: number | null;
  spec: string;
  pages: string[];
  state: Generated<'preparing' | 'running' | 'done' | 'stopped' | 'failed'>;
  force: Generated<boolean>;
  keep: number;
  note: string | null;
  message_zh: string | null;
  message_en: string | null;
  job_id: number | null;
  device_count: Generated<number>;
  create_at: number;
  finish_at: number | null;
}

export interface ConfigCampaignDeviceTable {
  id: GeneratedAlways<number>;
  campaign_id: number;
  device_id: number | null;
  agent_id: number;
  device_name: string;
  sn: string;
  state: Generated<TargetState>;
  apply_id: number | null;
  page: string | null;
  path: string | null;
  reason_zh: string | null;
  reason_en: string | null;
  update_at: number;
}

export interface ConfigDraftTable {
  device_id: number;
  section: string;
  uid: number;
  operator: string;
  base_rev: number;
  doc: ColumnType<JsonObject, string, string>;
  source: Generated<ApplySource>;
  update_at: number;
}

export interface ConfigFileTable {
  sha256: string;
  sealed: boolean;
  size: number;
  create_at: number;
}

export interface ConfigFileOwnerTable {
  sha256: string;
  sealed: boolean;
  agent_id: number;
}

export interface ConfigRevisionTable {
  device_id: number;
  section: string;
  rev: number;
  apply_id: number;
  hash: string;
  doc: ColumnType<JsonObject, string, string>;
  own: Generated<string[]>;
  source: ApplySource;
  operator: string | null;
  note: string | null;
  create_at: number;
}

export interface ConfigTemplateTable {
  id: Generated<number>;
  level: 'platform' | 'vno' | 'group';
  agent_id: number;
  device_group_id: number | null;
  name: string;
  enabled: Generated<boolean>;
  rank: Generated<number>;
  remark: string | null;
  variables: ColumnType<readonly TemplateVariable[], string | undefined, string>;
  pages: Generated<string[]>;
  past_pages: Generated<string[]>;
  operator: string;
  version: Generated<number>;
  create_at: number;
  update_at: number;
}

export interface ConfigTemplatePartTable {
  template_id: number;
  section: string;
  part: ColumnType<TemplatePart, string, string>;
}

export interface ConfigVariableTable {
  id: Generated<number>;
  level: 'vno' | 'group' | 'device';
  agent_id: number;
  device_group_id: number | null;
  device_id: number | null;
  name: string;
  value: string;
  secret: Generated<boolean>;
  remark: string | null;
  operator: string;
  version: Generated<number>;
  create_at: number;
  update_at: number;
}

export interface CustomerTable {
  id: Generated<number>;
  agent_id: number;
  kind: 'vno' | 'sub' | 'job';
  is_owner: Generated<boolean>;
  username: string;
  name: string;
  phone: string;
  email: string | null;
  password_hash: string;
  role_id: number | null;
  income_limit: string | null;
  income_used: Generated<string>;
  view_hide_pkg: Generated<boolean>;
  status: Generated<0 | 1>;
  job_kind: 'master' | 'sub' | null;
  parent_id: number | null;
  license_id: number | null;
  remark: string | null;
  last_login_at: number | null;
  last_login_ip: string | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
  phone_verified_at: number | null;
  phone_at: Generated<number>;
}

export interface DangerHashTable {
  hash: number;
  rev: number;
  first_rev: number;
  is_gone: boolean;
}

export interface DangerListTable {
  id: Generated<boolean>;
  rev: Generated<number>;
  count: Generated<number>;
  digest: Generated<number>;
  floor: Generated<number>;
}

export interface DangerSiteTable {
  id: Generated<number>;
  domain: string;
  ascii: string;
  kind: 'gambling' | 'fraud' | 'porn' | 'malware' | 'other';
  status: Generated<0 | 1>;
  remark: string | null;
  hit_count: Generated<number>;
  creator: string;
  version: Generated<number>;
  create_at: number;
  update_at: number;
}

export interface DangerSyncTable {
  device_id: number;
  sent: Generated<number>;
  acked: Generated<number>;
  count: Generated<number>;
  digest: string | null;
  odd_digest: string | null;
  sent_at: number | null;
  acked_at: number | null;
}

export interface DepotUploadTable {
  id: string;
  device_id: number | null;
  purpose: string;
  key: string;
  size: number;
  sha256: string;
  md5: string;
  claimed: Generated<boolean>;
  create_at: number;
}

export interface DesiredSectionTable {
  device_id: number;
  section: string;
  rev: number;
  hash: string;
  doc: ColumnType<Json, string, string>;
  settled: Generated<boolean>;
  sent_at: number | null;
  update_at: number;
  apply_id: number | null;
}

export interface DeviceTable {
  id: Generated<number>;
  agent_id: number;
  name: string;
  sn: string;
  create_at: number;
  device_group_id: number | null;
  account_count: Generated<number>;
  status: Generated<0 | 1 | 2 | 3 | 4 | 5 | 6>;
  merchant_code: string | null;
  hardware_id: string | null;
  model: string | null;
  key_hash: string | null;
  key_hint: string | null;
  key_used_at: number | null;
  auth_status: Generated<'formal' | 'test' | 'expired' | 'suspended'>;
  auth_expire_at: number | null;
  online_state: Generated<0 | 1>;
  conn_id: string | null;
  conn_node: string | null;
  boot: string | null;
  boot_at: number | null;
  version: string | null;
  version_past: string | null;
  caps: Generated<string[]>;
  current_link: string | null;
  network: Generated<'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit'>;
  docker_status: Generated<number>;
  opt_status: Generated<'uninitialized' | 'initialized' | 'update_available'>;
  intranet_ip: string | null;
  clock_skew: number | null;
  shadow_hash: string | null;
  shadow_odd: string | null;
  online_at: number | null;
  offline_at: number | null;
  offline_reason: string | null;
  access_at: number | null;
  device_type: Generated<'fixed' | 'vehicle' | 'ship' | 'portable'>;
  remark: string | null;
  proxy_addr: string | null;
  proxy_port: number | null;
  link_lock: Generated<'unlocked' | 'global' | 'second_satellite'>;
  change_mode: Generated<'default' | 'backup' | 'roaming'>;
  fence: string | null;
  billing_mode: Generated<0 | 1 | 2 | 3>;
  load_interval: Generated<number>;
  transfer_status: 'transferring' | 'failed' | null;
  next_key_hash: string | null;
  revision: Generated<number>;
  portal_id: number | null;
  fence_state: 'in' | 'out' | null;
  fence_at: number | null;
  unseen_at: number | null;
  key_verifier: string | null;
  config_floor: Generated<number>;
  claim_hardware_id: string | null;
  portal_key: string | null;
  portal_rev: number | null;
  protocol_map: string | null;
}

export interface DeviceAccountTable {
  id: Generated<number>;
  device_id: number;
  username: string;
  role_id: number | null;
  permissions: ColumnType<Record<string, Grant>, string | undefined, string>;
  last_login_at: number | null;
  update_at: number;
  version: Generated<number>;
}

export interface DeviceBackupTable {
  id: Generated<number>;
  device_id: number | null;
  agent_id: number;
  sn: string;
  device_name: string;
  file_name: string;
  backup_type: 'manual' | 'auto';
  version: string | null;
  size: number;
  md5: string;
  sha256: string;
  key: string;
  operator: string | null;
  remark: string | null;
  create_at: number;
  operator_agent_id: number | null;
}

export interface DeviceCommandTable {
  id: string;
  device_id: number;
  op: string;
  args: ColumnType<Json, string, string>;
  state: Generated<number>;
  progress: Generated<number>;
  code: number | null;
  out: ColumnType<Json | null, string | null | undefined, string | null>;
  err: string | null;
  late: Generated<boolean>;
  sends: Generated<number>;
  deadline: number;
  create_at: number;
  sent_at: number | null;
  ack_at: number | null;
  finish_at: number | null;
  operator: string | null;
  uid: number | null;
  link: string | null;
  operator_agent_id: number | null;
}

export interface DeviceContainerTable {
  device_id: number;
  name: string;
  image: string | null;
  status: 0 | 1 | 2 | 3 | 4;
  cpu: number | null;
  memory: number | null;
  at: number;
}

export interface DeviceEventTable {
  sn: string;
  id: string;
  device_id: number | null;
  agent_id: number;
  kind: string;
  at: number;
  reported_at: number;
  doc: ColumnType<Json, string, string>;
  create_at: number;
}

export interface DeviceFlowTable {
  device_id: number;
  at: number;
  seconds: number;
  link: string;
  up_bytes: number;
  down_bytes: number;
}

export interface DeviceFlowDayTable {
  device_id: number;
  day: number;
  bytes: number;
}

export interface DeviceGroupTable {
  id: Generated<number>;
  agent_id: number;
  name: string;
  create_at: number;
  remark: string | null;
  version: Generated<number>;
}

export interface DeviceLoadTable {
  device_id: number;
  at: number;
  cpu: number;
  memory: number;
  disk: number | null;
  session_count: number | null;
  temperature: number | null;
}

export interface DeviceStatusTable {
  device_id: number;
  boot: string;
  n: number;
  at: number;
  seen_at: number;
  links: ColumnType<Json, string | undefined, string>;
  lan: number[] | null;
  aps: ColumnType<Json | null, string | null | undefined, string | null>;
  lat: number | null;
  lon: number | null;
  sog: number | null;
  cog: number | null;
  fix: number | null;
  cpu: number | null;
  memory: number | null;
  online_users: number | null;
  link_marks: string | null;
}

export interface DeviceStreamTable {
  device_id: number;
  boot: string;
  stream: string;
  taken: Generated<number[]>;
  update_at: number;
}

export interface DeviceTrackTable {
  device_id: number;
  at: number;
  lat: number;
  lon: number;
  sog: number | null;
  cog: number | null;
}

export interface DeviceTransferTable {
  id: Generated<number>;
  device_id: number | null;
  sn: string;
  from_agent_id: number;
  to_agent_id: number;
  keep_users: boolean;
  remark: string | null;
  state: Generated<'preparing' | 'acknowledged' | 'done' | 'failed' | 'cleared'>;
  command_id: string;
  deadline: number;
  reason_zh: string | null;
  reason_en: string | null;
  residue: ColumnType<Residue | null, string | null | undefined, string | null>;
  operator: string;
  create_at: number;
  finish_at: number | null;
  operator_agent_id: number | null;
}

export interface DockerLogTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number;
  sn: string;
  container: string | null;
  image: string | null;
  docker_status: 0 | 1 | 2 | 3 | 4;
  action: 'start' | 'stop' | 'restart' | 'install' | 'uninstall' | null;
  cpu: number | null;
  memory: number | null;
  content: string | null;
  result: 'success' | 'fail';
  operator: string | null;
  create_at: number;
}

export interface DocumentNumberTable {
  agent_id: number;
  kind: 'bill' | 'handover' | 'stock';
  last: number;
}

export interface DomainTable {
  id: Generated<number>;
  agent_id: number;
  domain_type: 'console' | 'portal';
  domain: string | null;
  https: Generated<boolean>;
  cert_source: Generated<'upload' | 'acme'>;
  cert_name: string | null;
  cert: string | null;
  cert_key: string | null;
  cert_sha256: string | null;
  cert_begin_at: number | null;
  cert_expire_at: number | null;
  cert_error: string | null;
  https_at: number | null;
  proven_at: number | null;
  checked_at: number | null;
  proof_failed_at: number | null;
  proof_error: 'missing' | 'wrong' | 'resolver' | 'taken' | 'lost' | null;
  status: Generated<0 | 1>;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface DpiAgentDayTable {
  kind: 'dpi_usr' | 'dpi_mgt';
  time: number;
  agent_id: number;
  protocol_id: string;
  up_bytes: number;
  down_bytes: number;
  session_count: number | null;
}

export interface DpiDeviceDayTable {
  kind: 'dpi_usr' | 'dpi_mgt';
  time: number;
  agent_id: number;
  device_id: number;
  protocol_id: string;
  up_bytes: number;
  down_bytes: number;
  session_count: number | null;
}

export interface DpiTaskTable {
  id: Generated<number>;
  task_no: string;
  device_id: number | null;
  agent_id: number;
  sn: string;
  device_name: string;
  operate: 'estimate' | 'report';
  data_type: 'flow_usr' | 'flow_mgt' | 'dpi_usr' | 'dpi_mgt';
  mode: 'continuous' | 'single';
  method: 'immediate' | 'appointment';
  report_at: number | null;
  start_at: number | null;
  end_at: number | null;
  limit_speed: Generated<number>;
  limit_flow: Generated<number>;
  estimate_size: number | null;
  size: number | null;
  progress: Generated<number>;
  status: Generated<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10>;
  ended: Generated<boolean>;
  err: string | null;
  next_at: number;
  tries: Generated<number>;
  command_id: string | null;
  section_rev: number | null;
  last_at: number | null;
  last_bytes: number | null;
  upload_id: string | null;
  used_bytes: Generated<number>;
  file_size: number | null;
  file_sha256: string | null;
  file_key: string | null;
  said_sha256: string | null;
  cut_at: number | null;
  batch_count: number | null;
  operator: string;
  uid: number | null;
  create_at: number;
  update_at: number;
}

export interface ExportTaskTable {
  id: GeneratedAlways<number>;
  customer_id: number | null;
  agent_id: number | null;
  job_id: number | null;
  title_zh: string;
  title_en: string;
  call: string;
  format: 'csv' | 'xlsx' | 'pdf' | 'zip';
  payload: ColumnType<ExportPayload, string, string>;
  state: Generated<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10>;
  progress: Generated<number>;
  row_count: number | null;
  file_name: string | null;
  file_key: string | null;
  file_size: number | null;
  message_zh: string | null;
  message_en: string | null;
  create_at: number;
  finish_at: number | null;
}

export interface FeedbackTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number | null;
  subscriber_id: number | null;
  sn: string | null;
  account: string;
  phone: string | null;
  mac: string | null;
  type: 'network' | 'device' | 'portal' | 'suggestion';
  level: 'general' | 'middle' | 'urgent';
  content: string;
  attach_count: Generated<number>;
  status: Generated<0 | 1>;
  remark: string | null;
  handler: string | null;
  handle_at: number | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface FeedbackImageTable {
  feedback_id: number;
  position: number;
  file_key: string;
  mime: 'image/png' | 'image/jpeg';
  size: number;
  width: number;
  height: number;
}

export interface FenceChangeTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number;
  sn: string;
  fence_name: string;
  fence_state: 'in' | 'out';
  longitude: number | null;
  latitude: number | null;
  action: string | null;
  network: Network;
  create_at: number;
}

export interface FieldNodeTable {
  id: string;
  beat_at: number;
  since: Generated<number>;
  epoch: Generated<number>;
}

export interface FileTable {
  id: Generated<number>;
  agent_id: number;
  batch: string;
  name: string;
  type: 'config' | 'script' | 'docker' | 'portal' | 'media' | 'other';
  file_name: string;
  size: number;
  sha256: string;
  key: string;
  zip: boolean;
  remark: string | null;
  describe: string | null;
  task_count: Generated<number>;
  operator: string;
  create_at: number;
  version: Generated<number>;
}

export interface FileTaskTable {
  id: Generated<number>;
  task_no: string;
  agent_id: number;
  file_id: number | null;
  file_name: string;
  batch: string;
  size: number;
  operation: 'none' | 'install' | 'decompress' | 'execute';
  path: string;
  send_mode: 'immediate' | 'timed';
  send_at: number;
  state: 'waiting' | 'running' | 'finished' | 'stopped';
  paused: Generated<boolean>;
  device_count: number;
  remark: string | null;
  operator: string;
  create_at: number;
  finish_at: number | null;
}

export interface FileTaskDeviceTable {
  id: Generated<number>;
  task_id: number;
  device_id: number | null;
  agent_id: number;
  sn: string;
  device_name: string;
  status: Generated<0 | 1 | 2 | 100 | 101 | 102 | 103 | 104 | 105 | 200 | 201 | 202 | 203 | 255>;
  progress: Generated<number>;
  ended: Generated<boolean>;
  err: string | null;
  command_id: string | null;
  tries: Generated<number>;
  next_at: Generated<number>;
  update_at: number;
}

export interface FileUploadTable {
  id: Generated<number>;
  agent_id: number;
  customer_id: number;
  mark: string;
  file_name: string;
  type: 'config' | 'script' | 'docker' | 'portal' | 'media' | 'other';
  size: number;
  part_size: number;
  received: Generated<number>;
  create_at: number;
  update_at: number;
}

export interface FirmwareTable {
  id: Generated<number>;
  version: string;
  version_key: GeneratedAlways<number>;
  file_name: string;
  file_key: string;
  size: number;
  sha256: string;
  remark: string;
  release_desc: string | null;
  display_rule: 'all' | 'vno' | 'device';
  vno_ids: number[] | null;
  device_ids: number[] | null;
  download_count: Generated<number>;
  operator: string;
  create_at: number;
  update_at: number;
  revision: Generated<number>;
}

export interface FirmwareLogTable {
  id: Generated<number>;
  firmware_id: number | null;
  agent_id: number;
  customer_id: number | null;
  version: string;
  model: string;
  file_name: string;
  operator: string;
  ip: string | null;
  result: 'success' | 'fail' | null;
  create_at: number;
}

export interface FirmwareModelTable {
  firmware_id: number;
  model: string;
  version_key: number;
}

export interface FlowSumDayTable {
  kind: 'flow_usr' | 'flow_mgt' | 'dpi_usr' | 'dpi_mgt';
  time: number;
  agent_id: number;
  device_id: number;
  network: 'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit';
  up_bytes: number;
  down_bytes: number;
  row_count: Generated<number>;
  hour_row_count: Generated<number>;
}

export interface FlowSumHourTable {
  kind: 'flow_usr' | 'flow_mgt' | 'dpi_usr' | 'dpi_mgt';
  time: number;
  agent_id: number;
  device_id: number;
  network: 'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit';
  up_bytes: number;
  down_bytes: number;
  row_count: Generated<number>;
}

export interface GatewayAccountTable {
  device_id: number;
  subscriber_id: number;
  account: string;
  rev: number;
  hash: number;
  doc: ColumnType<JsonObject, string, string>;
  is_gone: Generated<boolean>;
  counter_id: number;
  used_bytes: Generated<number>;
  used_seconds: Generated<number>;
  refused: string | null;
}

export interface HoldingTable {
  id: Generated<number>;
  subscriber_id: number;
  package_id: number;
  agent_id: number;
  price: Generated<string>;
  start_at: number;
  activated_at: number | null;
  expire_at: number | null;
  used_flow: Generated<number>;
  used_time: Generated<number>;
  cycles: ColumnType<Record<number, number>, string | undefined, string>;
  first_cycle: Generated<number>;
  state: Generated<import('@farlink/contract/user/choices.ts').HoldingStatus>;
  create_at: number;
  ends_at: number | null;
  balance_part: Generated<string>;
  period_no: Generated<number>;
  periods: Generated<number>;
  refunded_at: number | null;
}

export interface IdempotencyKeyTable {
  customer_id: number;
  call: string;
  key: string;
  input_hash: string;
  answer: string | null;
  create_at: number;
}

export interface InstallationTable {
  id: Generated<number>;
  key_mark: string;
  create_at: number;
}

export interface JobTable {
  id: GeneratedAlways<number>;
  kind: string;
  payload: ColumnType<Json, string, string>;
  state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'cancelled'>;
  progress: Generated<number>;
  attempts: Generated<number>;
  key: string | null;
  run_at: number;
  owner: string | null;
  lease_until: number | null;
  cancel_requested: Generated<boolean>;
  customer_id: number | null;
  agent_id: number | null;
  lang: Generated<Lang>;
  rights: ColumnType<SessionInfo | null, string | null | undefined, string | null>;
  result: ColumnType<Json | null, string | null | undefined, string | null>;
  error: string | null;
  create_at: number;
  start_at: number | null;
  finish_at: number | null;
  source: Generated<string>;
  queue: Generated<string>;
}

export interface LedgerAccountTable {
  id: Generated<number>;
  agent_id: number;
  kind: 'collected' | 'revenue' | 'discount' | 'refund' | 'balance' | 'card_stock' | 'card_debt';
  detail: Generated<string>;
  amount: Generated<string>;
}

export interface LedgerEntryTable {
  id: Generated<number>;
  agent_id: number;
  cause: string;
  bill_no: string;
  channel: 'counter' | 'online' | 'card' | 'stock';
  expense_type: 'open' | 'recharge' | 'change_package' | 'extra_package' | 'refund' | 'card_stock';
  state: Generated<'settled' | 'pending' | 'revoked'>;
  pay_method: PayMethod | null;
  income: Generated<string>;
  expend: Generated<string>;
  discount: Generated<string>;
  net_income: GeneratedAlways<string | null>;
  count: Generated<number>;
  subscriber_id: number | null;
  account: string | null;
  user_name: string | null;
  account_type: string | null;
  account_source: string | null;
  package_id: number | null;
  package_name: string | null;
  device_id: number | null;
  device_group_id: number | null;
  bind_name: string | null;
  card_id: number | null;
  order_id: number | null;
  reverses_id: number | null;
  customer_id: number | null;
  operator: string;
  remark: string | null;
  create_at: number;
  balance_part: Generated<string>;
}

export interface LedgerPostingTable {
  entry_id: number;
  account_id: number;
  amount: string;
}

export interface LicenseTable {
  id: Generated<number>;
  agent_id: number;
  code: string;
  total: number;
  used: Generated<number>;
  activate_at: number | null;
  job_name: string | null;
  expire_at: number;
  remark: string | null;
  create_at: number;
}

export interface LoginRejectionTable {
  id: Generated<number>;
  subscriber_id: number;
  device_id: number | null;
  reason: string;
  mac: string | null;
  create_at: number;
  nas_id: number | null;
}

export interface MailServerTable {
  agent_id: number;
  enable: Generated<boolean>;
  name: string;
  username: string;
  password: string;
  host: string;
  port: number;
  secure: 'none' | 'ssl' | 'starttls';
  sign: string | null;
  sent_at: number | null;
  fault: string | null;
  fault_answer: string | null;
  fault_at: number | null;
  update_at: number;
  version: Generated<number>;
}

export interface ManageDpiDayTable {
  id: GeneratedAlways<number>;
  time: number;
  agent_id: number;
  device_id: number;
  protocol_id: string;
  session_count: number | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: GeneratedAlways<number>;
}

export interface ManageDpiHourTable {
  id: GeneratedAlways<number>;
  time: number;
  agent_id: number;
  device_id: number;
  protocol_id: string;
  session_count: number | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: GeneratedAlways<number>;
}

export interface ManageFlowDayTable {
  id: GeneratedAlways<number>;
  time: number;
  agent_id: number;
  device_id: number;
  service: string;
  link: Generated<string>;
  network: Generated<'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit'>;
  seconds: number;
  peak_speed: number | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: GeneratedAlways<number>;
}

export interface ManageFlowHourTable {
  id: GeneratedAlways<number>;
  time: number;
  agent_id: number;
  device_id: number;
  service: string;
  link: Generated<string>;
  network: Generated<'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit'>;
  seconds: number;
  peak_speed: number | null;
  up_bytes: number;
  down_bytes: number;
  total_bytes: GeneratedAlways<number>;
}

export interface MeterTable {
  subscriber_id: number;
  clock: number;
  overrun_bytes: Generated<number>;
  overrun_seconds: Generated<number>;
}

export interface NasTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number | null;
  site_device_id: number | null;
  name: string;
  identifier: string;
  addr: string | null;
  secret: string;
  transport: Generated<'udp' | 'radsec'>;
  require_ma: Generated<boolean>;
  ma_seen_at: number | null;
  ma_missing_at: number | null;
  chap: Generated<boolean>;
  mschap: Generated<boolean>;
  no_gigawords: Generated<boolean>;
  coa_port: Generated<number>;
  vendor: Generated<'standard' | 'mikrotik' | 'chillispot' | 'cisco' | 'huawei' | 'aruba' | 'ruckus'>;
  interval_s: Generated<number>;
  language: Generated<'zh' | 'en'>;
  last_at: number | null;
  last_addr: string | null;
  boot_at: number | null;
  wrong_secret: Generated<number>;
  duplicates: Generated<number>;
  drops: Generated<number>;
  remark: string | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
  end_refused: Generated<boolean>;
  login_protocol: Generated<'none' | 'uam' | 'mikrotik'>;
  uam_secret: string | null;
  router_hosts: string | null;
  login_seen_at: number | null;
  accounting_seen_at: number | null;
  class_returned: boolean | null;
  clock_offset_s: number | null;
  is_proxy: Generated<boolean>;
  via_nas_id: number | null;
}

export interface NoticeTable {
  id: Generated<number>;
  agent_id: number;
  title: string;
  content: string;
  target: 'admin' | 'vno' | 'subscriber';
  vno_ids: number[] | null;
  status: Generated<0 | 1>;
  send_at: number | null;
  publisher: string | null;
  expire_at: number;
  revision: Generated<number>;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface NoticeReadTable {
  customer_id: number;
  notice_id: number;
  revision: number;
  read_at: number;
}

export interface NotifyDueTable {
  rule_id: number;
  mailbox: string;
  event: string;
  part: string;
  device_id: number;
  times: number;
  first_at: number;
  last_at: number;
  detail: ColumnType<Json, string, string>;
  since: number;
  seen_at: number;
  hold_until: number;
  mailed_at: number | null;
}

export interface NotifyRuleTable {
  id: Generated<number>;
  kind: 'status' | 'ap';
  device_id: number;
  ap_mac: string | null;
  events: string[];
  emails: string[];
  status: Generated<0 | 1>;
  lang: Lang;
  remark: string | null;
  creator: string;
  last_notify_at: number | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface OnlineSessionTable {
  id: Generated<number>;
  subscriber_id: number;
  agent_id: number;
  device_id: number | null;
  session_id: string;
  nas_ip: string | null;
  ip: string | null;
  mac: string | null;
  login_at: number;
  logout_at: number | null;
  up_bytes: Generated<number>;
  down_bytes: Generated<number>;
  up_speed: Generated<number>;
  down_speed: Generated<number>;
  terminate_cause: 'user' | 'kick' | 'idle' | 'quota' | 'lost' | 'expired' | 'session' | null;
  source: Generated<'gateway' | 'aaa'>;
  nas_id: number | null;
  acct_id: string | null;
  class: string | null;
  acct_in: number | null;
  acct_out: number | null;
  acct_seconds: number | null;
  has_gigawords: Generated<boolean>;
  last_at: number | null;
  grant_up: number | null;
  grant_down: number | null;
  grant_bytes: number | null;
  interim_s: number | null;
  end_reason: 'kick' | 'quota' | 'expired' | 'stale' | null;
  not_enforced_at: number | null;
  not_enforced_cause: number | null;
  overshoot_bytes: Generated<number>;
  limit_at: number | null;
}

export interface OpenConfigTable {
  id: Generated<number>;
  agent_id: number;
  account_type: AccountType;
  name: string | null;
  prefix_id: number | null;
  package_id: number | null;
  allow_logins: Generated<number>;
  valid_days: Generated<number>;
  realname: Generated<boolean>;
  application_id: number | null;
  policy_id: number | null;
  remark: string | null;
  update_at: number;
  version: Generated<number>;
}

export interface OperatorNameTable {
  name: string;
  agent_id: number;
}

export interface OutboxTable {
  id: GeneratedAlways<number>;
  channel: 'sms' | 'mail';
  recipient: string;
  body: string | null;
  state: Generated<'waiting' | 'sent' | 'failed'>;
  tries: Generated<number>;
  next_at: number;
  expire_at: number | null;
  error: string | null;
  create_at: number;
  finish_at: number | null;
  agent_id: number | null;
  about: ColumnType<Json | null, string | null | undefined, string | null>;
  lease_until: number | null;
  lease_owner: string | null;
}

export interface OwnAppFlowTable {
  device_id: number;
  at: number;
  seconds: number;
  app: string;
  link: string | null;
  up_bytes: number;
  down_bytes: number;
  sessions: number | null;
}

export interface OwnFlowTable {
  device_id: number;
  at: number;
  seconds: number;
  service: string;
  link: string | null;
  up_bytes: number;
  down_bytes: number;
  peak: number | null;
}

export interface PackageTable {
  id: Generated<number>;
  agent_id: number;
  kind: 'online' | 'extra';
  name: string;
  package_type: 'time' | 'flow' | 'time_flow';
  time_capacity: number | null;
  time_unit: 'minute' | 'hour' | 'day' | null;
  flow_capacity: number | null;
  flow_unit: 'KB' | 'MB' | 'GB' | 'TB' | null;
  cycle_length: number | null;
  cycle_unit: 'hour' | 'day' | 'week' | 'month' | null;
  cycle_quota: number | null;
  cycle_quota_unit: 'KB' | 'MB' | 'GB' | 'TB' | null;
  up_speed: Generated<number>;
  down_speed: Generated<number>;
  up_guarantee: Generated<number>;
  down_guarantee: Generated<number>;
  price: string;
  priority: Generated<number>;
  weight: Generated<number>;
  online_type: Generated<0 | 1 | 2>;
  expire_at: number | null;
  is_hide: Generated<boolean>;
  application_id: number | null;
  policy_id: number | null;
  device_ids: number[] | null;
  device_group_ids: number[] | null;
  description: string | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
  used_count: Generated<number>;
  own_up_speed: number | null;
  own_down_speed: number | null;
}

export interface PageReadingTable {
  device_id: number;
  page: string;
  asked_at: number;
  at: number;
  seen_at: number;
  rows: ColumnType<readonly Readonly<Record<string, unknown>>[], string, string>;
  total: number | null;
  more: Generated<boolean>;
  bytes: number;
}

export interface PayEventTable {
  channel: string;
  event_id: string;
  order_id: number;
  create_at: number;
}

export interface PayOrderTable {
  id: Generated<number>;
  agent_id: number;
  order_no: string;
  channel: 'wechat' | 'alipay' | 'balance';
  state: Generated<'paid' | 'waiting' | 'expired' | 'withdrawn'>;
  expense_type: 'open' | 'recharge' | 'change_package' | 'extra_package';
  subscriber_id: number | null;
  user_name: string | null;
  package_id: number | null;
  package_name: string | null;
  count: Generated<number>;
  amount: string;
  pay_url: string | null;
  trade_no: string | null;
  device_id: number | null;
  customer_id: number | null;
  operator: string;
  remark: string | null;
  pay_at: number | null;
  expire_at: number;
  create_at: number;
  channel_id: number | null;
  withdraw_at: number | null;
  withdraw_customer_id: number | null;
  withdraw_operator: string | null;
  account: string | null;
  balance_part: Generated<string>;
}

export interface PaymentChannelTable {
  id: Generated<number>;
  agent_id: number;
  channel: 'wechat' | 'alipay';
  status: Generated<0 | 1>;
  merchant_id: string | null;
  app_id: string | null;
  secrets: string | null;
  cert_names: Generated<string[]>;
  gateway: string | null;
  update_at: number;
  version: Generated<number>;
}

export interface PolicyTable {
  id: Generated<number>;
  agent_id: number;
  name: string;
  ratio: number;
  action: 0 | 1 | 2;
  content: string | null;
  limit_up: Generated<number>;
  limit_down: Generated<number>;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface PolicyLogTable {
  id: Generated<number>;
  agent_id: number;
  subscriber_id: number | null;
  account: string;
  device_id: number | null;
  policy_source: 'account_default' | 'user_defined' | 'package_bound' | 'device_local';
  application_id: number | null;
  application_name: string | null;
  policy_id: number | null;
  policy_name: string | null;
  mode: 0 | 1 | null;
  custom_policy: boolean;
  content: string | null;
  result: 'pending' | 'success' | 'fail';
  message_zh: string | null;
  message_en: string | null;
  operator: string;
  create_at: number;
  rev: number | null;
}

export interface PortalTable {
  id: Generated<number>;
  agent_id: number;
  name: string;
  device_type: Generated<'fixed' | 'vehicle' | 'ship' | 'portable'>;
  billing_type: Generated<'free' | 'charged'>;
  create_at: number;
  version: Generated<number>;
  template_id: number | null;
  rev: Generated<number>;
  is_default: Generated<boolean>;
  send_at: number | null;
  update_at: number | null;
}

export interface PortalBundleTable {
  sha256: string;
  portal_id: number | null;
  rev: number;
  size: number;
  create_at: number;
}

export interface PortalDraftTable {
  portal_id: number;
  customer_id: number;
  base_version: number;
  document: ColumnType<PortalDocument, string, string>;
  update_at: number;
}

export interface PortalHandoverTable {
  hash: string;
  expire_at: number;
}

export interface PortalKnownClientTable {
  subscriber_id: number;
  client_hash: string;
  login_at: number;
}

export interface PortalPartsTable {
  sha256: string;
  css: string;
  fragments: ColumnType<Record<string, string>, string, string>;
  images: ColumnType<readonly PortalImage[], string, string>;
}

export interface PortalResourceTable {
  id: Generated<number>;
  agent_id: number;
  sha256: string;
  ext: 'png' | 'jpg';
  width: number;
  height: number;
  bytes: number;
  name: string;
  operator: string;
  create_at: number;
}

export interface PortalRevisionTable {
  portal_id: number;
  rev: number;
  document: ColumnType<PortalDocument, string, string>;
  template_id: number | null;
  parts_sha256: string | null;
  operator: string;
  create_at: number;
}

export interface PortalSessionTable {
  id: Generated<number>;
  token_hash: string | null;
  agent_id: number;
  device_id: number | null;
  mac: string | null;
  ip: string | null;
  subscriber_id: number | null;
  login_at: number | null;
  idle_s: number;
  expire_at: number;
  create_at: number;
  nas_id: number | null;
  router: ColumnType<RouterLogin | null, string | null | undefined, string | null>;
}

export interface PortalTaskTable {
  id: Generated<number>;
  portal_id: number | null;
  portal_name: string;
  device_id: number | null;
  agent_id: number;
  sn: string;
  device_name: string;
  send_mode: 'immediate' | 'timed';
  send_at: number;
  section_rev: number | null;
  previous: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  status: Generated<0 | 1 | 2 | 100 | 101 | 102 | 103 | 104 | 105 | 200 | 201 | 202 | 203 | 255>;
  progress: Generated<number>;
  ended: Generated<boolean>;
  err: string | null;
  tries: Generated<number>;
  operator: string;
  create_at: number;
  update_at: number;
}

export interface PortalTemplateTable {
  id: Generated<number>;
  agent_id: number | null;
  kind: 'blocks' | 'package';
  code: string | null;
  name: string;
  device_type: 'fixed' | 'vehicle' | 'ship' | 'portable';
  manifest: ColumnType<Manifest | null, string | null | undefined, string | null>;
  parts_sha256: string | null;
  operator: string | null;
  create_at: number;
  version: Generated<number>;
}

export interface PrefixTable {
  id: Generated<number>;
  agent_id: number;
  prefix: string;
  remark: string | null;
  creator: string;
  create_at: number;
}

export interface ProcessNodeTable {
  id: string;
  name: string;
  roles: string[];
  version: string;
  address: string | null;
  remote_web_port: number | null;
  started_at: Generated<Date>;
  seen_at: Generated<Date>;
  figures: ColumnType<Json, string | undefined, string>;
}

export interface RadiusRecheckTable {
  id: Generated<number>;
  subscriber_id: number;
}

export interface RadiusReserveTable {
  token: string;
  subscriber_id: number;
  nas_id: number;
  mac: string | null;
  until: number;
  create_at: number;
  grant_up: number;
  grant_down: number;
  grant_bytes: number | null;
  interim_s: number;
}

export interface RateCountTable {
  name: string;
  minute: number;
  count: number;
}

export interface RechargeCardTable {
  id: Generated<number>;
  rule_id: number;
  agent_id: number;
  number: string;
  password: string;
  status: Generated<'unused' | 'used' | 'expired' | 'disabled'>;
  device_id: number | null;
  device_group_id: number | null;
  expire_at: number;
  used_at: number | null;
  subscriber_id: number | null;
  used_user: string | null;
  remark: string | null;
  create_at: number;
}

export interface ReleaseChangeTable {
  id: Generated<number>;
  device_id: number;
}

export interface ReleaseEventTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number;
  sn: string;
  rule_id: number | null;
  rule_name: string | null;
  mac: string;
  result: 'start' | 'refused' | 'end';
  reason: 'count' | 'gateway' | 'time' | 'rule' | 'login' | null;
  purpose: 'user' | 'pay' | null;
  until: number | null;
  up_bytes: number | null;
  down_bytes: number | null;
  create_at: number;
}

export interface ReleaseRuleTable {
  id: Generated<number>;
  agent_id: number;
  name: string;
  target: 'all' | 'device' | 'group';
  pass_time: number;
  pass_count: number;
  lock_time: number;
  refresh_time: number;
  limit_up: number;
  limit_down: number;
  status: Generated<0 | 1>;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface ReleaseRuleDeviceTable {
  device_id: number;
  rule_id: number;
}

export interface ReleaseRuleGroupTable {
  device_group_id: number;
  rule_id: number;
}

export interface RememberTokenTable {
  token_hash: string;
  customer_id: number;
  expire_at: number;
}

export interface RemoteRequestTable {
  id: Generated<number>;
  session_id: number;
  at: number;
  method: string;
  path: string;
  status: number;
  up_bytes: number;
  down_bytes: number;
  ms: number;
}

export interface RemoteSessionTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number | null;
  device_name: string;
  sn: string;
  service: RemoteService;
  customer_id: number;
  session_id: number | null;
  operator: string;
  operator_name: string;
  operator_agent_id: number;
  acted_by: string | null;
  ip: string;
  user_agent: string;
  lang: 'zh' | 'en';
  node: string;
  state: Generated<'opening' | 'open' | 'ended' | 'failed'>;
  label: string;
  port: number | null;
  ticket_hash: string;
  ticket_until: number;
  ticket_used_at: number | null;
  tunnel_hash: string;
  tunnel_used_at: number | null;
  command_id: string;
  create_at: number;
  open_at: number | null;
  active_at: number;
  beat_at: number;
  end_at: number | null;
  end_reason: RemoteEnd | null;
  message: string | null;
  up_bytes: Generated<number>;
  down_bytes: Generated<number>;
  request_count: Generated<number>;
  recording_key: string | null;
  recording_size: number | null;
  reason: string | null;
  encoding: Generated<'utf8' | 'gbk' | 'latin1'>;
  read_only: Generated<boolean>;
  lband: Generated<boolean>;
}

export interface RemoteTokenTable {
  token_hash: string;
  customer_id: number;
  acted_by: string;
  expire_at: number;
  actor_session_id: number | null;
}

export interface ReportedSectionTable {
  device_id: number;
  section: string;
  rev: number;
  hash: string | null;
  ok: boolean;
  local: boolean;
  doc: ColumnType<Json | null, string | null | undefined, string | null>;
  err: string | null;
  at: number;
}

export interface RoleTable {
  id: Generated<number>;
  agent_id: number;
  kind: 'agent' | 'sub' | 'job';
  name: string;
  scope: 'unlimited' | 'vno' | 'device';
  vno_ids: number[] | null;
  device_ids: number[] | null;
  view_hide_pkg: Generated<boolean>;
  read_all: Generated<boolean>;
  write_all: Generated<boolean>;
  permissions: ColumnType<Record<string, Grant>, string, string>;
  gateway_permissions: ColumnType<Record<string, Grant>, string | undefined, string>;
  remark: string | null;
  creator: string;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface RoleAssignLogTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number | null;
  sn: string;
  username: string;
  role_id: number | null;
  role_name: string | null;
  before: string | null;
  after: string | null;
  result: 'success' | 'fail';
  message_zh: string | null;
  message_en: string | null;
  operator: string;
  ip: string | null;
  create_at: number;
}

export interface RouterPassTable {
  subscriber_id: number;
  nas_id: number;
  mac: string;
  password: string;
  expire_at: number;
}

export interface ServiceEventTable {
  id: Generated<number>;
  subscriber_id: number;
  agent_id: number;
  kind: 'activated' | 'reminder' | 'exhausted' | 'expired' | 'next_package' | 'slow_down' | 'stop' | 'lifted' | 'overrun' | 'enforced' | 'not_enforced';
  holding_id: number | null;
  package_id: number | null;
  bytes: number | null;
  limit_up: number | null;
  limit_down: number | null;
  reason: string | null;
  at: number;
  create_at: number;
  nas_name: string | null;
  error_cause: number | null;
}

export interface SessionTable {
  id: Generated<number>;
  token_hash: string;
  customer_id: number;
  agent_id: number;
  info: ColumnType<SessionInfo, string, string>;
  acted_by: string | null;
  ip: string;
  create_at: number;
  seen_at: number;
  actor_session_id: number | null;
}

export interface SessionWriteTable {
  session_id: number;
  lsn: number;
  at: number;
}

export interface SettingTable {
  agent_id: number;
  name: string;
  value: ColumnType<Json, string, string>;
  operator: string;
  update_at: number;
  version: Generated<number>;
}

export interface SettlementTable {
  id: Generated<number>;
  collector_id: number;
  agent_id: number;
  period: string;
  payments: number;
  paid: string;
  refunds: number;
  refunded: string;
  net: GeneratedAlways<string | null>;
  settled_at: number | null;
  settled_by: string | null;
  settled_agent_id: number | null;
  note: string | null;
}

export interface SettlementOfBillsTable {
  collector_id: number | null;
  agent_id: number | null;
  period: string | null;
  payments: number | null;
  paid: string | null;
  refunds: number | null;
  refunded: string | null;
}

export interface SmsCodeTable {
  id: GeneratedAlways<number>;
  type: string;
  phone: string;
  salt: string;
  code_hash: string;
  tries: Generated<number>;
  create_at: number;
  expire_at: number;
  used_at: number | null;
}

export interface SmsOutboxTable {
  id: GeneratedAlways<number>;
  phone: string;
  body: string;
  create_at: number;
}

export interface SubscriberTable {
  id: Generated<number>;
  agent_id: number;
  prefix_id: number | null;
  config_id: number | null;
  account: string;
  password: string;
  account_type: AccountType;
  account_source: 'counter' | 'personal' | 'batch';
  status: Generated<AccountStatus>;
  resume_status: 'normal' | 'reserved_shutdown' | null;
  name: string;
  phone: string;
  id_number: string | null;
  id_number_hash: string | null;
  email: string | null;
  cert_start_at: number | null;
  cert_end_at: number | null;
  issuing_authority: string | null;
  photo_key: string | null;
  photo_name: string | null;
  allow_logins: Generated<number>;
  device_id: number | null;
  device_group_id: number | null;
  bind_ip: string | null;
  bind_mac: string | null;
  vlan_id: number | null;
  expire_at: number;
  balance: Generated<string>;
  custom_policy: Generated<boolean>;
  application_id: number | null;
  policy_id: number | null;
  package_id: number | null;
  package_status: PackageStatus | null;
  package_due_at: number | null;
  online_count: Generated<number>;
  first_use_at: number | null;
  producer: string | null;
  remark: string | null;
  create_at: number;
  update_at: number;
  version: Generated<number>;
  shutdown_at: number | null;
  id_type: Generated<IdType>;
  verifier: string | null;
  seller_id: number | null;
  is_unsold: Generated<boolean>;
  service_mode: 'full' | 'slow' | 'stop' | null;
  reminded_expiry: number | null;
  card_price: string | null;
  auto_renew: Generated<boolean>;
  renew_refused_at: number | null;
  renew_price: string | null;
  whole_vno: Generated<boolean>;
}

export interface SyncLogTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number;
  direction: 'down' | 'up';
  total: number;
  success_count: number;
  fail_count: number;
  result: 'success' | 'fail' | 'partial';
  message_zh: string | null;
  message_en: string | null;
  duration: number;
  create_at: number;
}

export interface SyslogTable {
  id: Generated<number>;
  agent_id: number;
  customer_id: number | null;
  username: string;
  name: string;
  module: Module;
  action: LogAction;
  content_zh: string;
  content_en: string;
  result: 'success' | 'fail';
  message_zh: string | null;
  message_en: string | null;
  before: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  after: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  acted_by: string | null;
  subject: string | null;
  ip: string;
  user_agent: string;
  create_at: number;
  call: string | null;
}

export interface SystemAlarmTable {
  name: string;
  reason_zh: string;
  reason_en: string;
  found_at: number;
  raise_at: number | null;
  calm_at: number | null;
}

export interface SystemBackupTable {
  id: GeneratedAlways<number>;
  started_at: number;
  ended_at: number | null;
  bytes: number | null;
  file_name: string;
  result: 'done' | 'failed' | null;
  error: string | null;
}

export interface SystemSizeTable {
  at: number;
  bytes: number;
}

export interface TrafficDayTable {
  device_id: number;
  agent_id: number;
  day: number;
  link_bytes: Generated<number>;
  user_bytes: Generated<number>;
  own_bytes: Generated<number>;
  charged_bytes: Generated<number>;
  overrun_bytes: Generated<number>;
  noted_at: number | null;
  update_at: number;
  checked_at: number | null;
}

export interface TrafficDirtyTable {
  kind: 'flow_usr' | 'flow_mgt' | 'dpi_usr' | 'dpi_mgt';
  device_id: number;
  hour: number;
  marked_at: number;
  touched_at: number;
  version: Generated<number>;
}

export interface TrafficStateTable {
  kind: 'flow_usr' | 'flow_mgt' | 'dpi_usr' | 'dpi_mgt';
  as_of: number;
}

export interface UpgradeCampaignTable {
  id: Generated<number>;
  kind: 'upgrade' | 'rollback';
  version: string;
  agent_id: number;
  customer_id: number | null;
  operator: string;
  remark: string | null;
  send_mode: 'immediate' | 'timed';
  send_at: number;
  state: 'waiting' | 'running' | 'stopped' | 'done' | 'ended';
  wave: Generated<number>;
  forgiven: Generated<number>;
  note_zh: string | null;
  note_en: string | null;
  device_count: number;
  deadline: number;
  create_at: number;
  finish_at: number | null;
}

export interface UpgradeDeviceTable {
  id: Generated<number>;
  campaign_id: number;
  device_id: number | null;
  agent_id: number;
  sn: string;
  device_name: string;
  firmware_id: number | null;
  op: 'sys.upgrade' | 'sys.rollback';
  from_version: string | null;
  version_key: number;
  wave: number | null;
  state: Generated<'queued' | 'sending' | 'verifying' | 'success' | 'failed' | 'rolled_back' | 'expired' | 'cancelled'>;
  command_id: string | null;
  boot: string | null;
  progress: Generated<number>;
  reason: UpgradeReason | null;
  detail: string | null;
  start_at: number | null;
  verify_by: number | null;
  finish_at: number | null;
}

export interface UsageTable {
  id: Generated<number>;
  subscriber_id: number;
  device_id: number | null;
  source: Generated<'gateway' | 'aaa'>;
  at: number;
  seconds: number;
  up_bytes: number;
  down_bytes: number;
  create_at: number;
}

export interface UserFlowTable {
  device_id: number;
  at: number;
  seconds: number;
  account: string;
  up_bytes: number;
  down_bytes: number;
  link: string | null;
  via: string | null;
  online_seconds: number | null;
  peak: number | null;
}

export interface WanChangeTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number;
  sn: string;
  source: 'send' | 'wan';
  from_link: string | null;
  to_link: string | null;
  network: Network;
  link_state: LinkState | null;
  change_mode: 'default' | 'backup' | 'roaming' | null;
  link_lock: 'unlocked' | 'global' | 'second_satellite' | null;
  reason: string | null;
  result: 'success' | 'fail' | null;
  operator: string | null;
  create_at: number;
}

export interface WanColorTable {
  id: Generated<number>;
  network: 'unknown' | '6d' | 'l_band' | 'lte' | 'low_orbit';
  link_state: 'on' | 'off' | 'abnormal';
  color: string;
  description: string | null;
  operator: string | null;
  update_at: number | null;
  version: Generated<number>;
}

export interface WanLinkLogTable {
  id: Generated<number>;
  agent_id: number;
  device_id: number;
  sn: string;
  link: string;
  network: Network;
  link_state: LinkState;
  state_before: LinkState | null;
  ip: string | null;
  quality: number | null;
  rtt: number | null;
  duration: number | null;
  create_at: number;
}

export interface Database {
  account_change: AccountChangeTable;
  account_sync: AccountSyncTable;
  acme_account: AcmeAccountTable;
  acme_order: AcmeOrderTable;
  agent: AgentTable;
  agent_branch: AgentBranchTable;
  agent_flow_day: AgentFlowDayTable;
  agent_flow_hour: AgentFlowHourTable;
  agent_past: AgentPastTable;
  ap: ApTable;
  ap_link_log: ApLinkLogTable;
  ap_look: ApLookTable;
  app_flow: AppFlowTable;
  application: ApplicationTable;
  attempt: AttemptTable;
  audit_auth: AuditAuthTable;
  audit_batch: AuditBatchTable;
  audit_erasure: AuditErasureTable;
  audit_finding: AuditFindingTable;
  audit_forum: AuditForumTable;
  audit_held_row: AuditHeldRowTable;
  audit_hold: AuditHoldTable;
  audit_identity: AuditIdentityTable;
  audit_key: AuditKeyTable;
  audit_leaf: AuditLeafTable;
  audit_log: AuditLogTable;
  audit_look: AuditLookTable;
  audit_mail: AuditMailTable;
  audit_node: AuditNodeTable;
  audit_reason: AuditReasonTable;
  audit_terminal: AuditTerminalTable;
  audit_terminal_state: AuditTerminalStateTable;
  audit_url: AuditUrlTable;
  audit_verification: AuditVerificationTable;
  backup_order: BackupOrderTable;
  bill_branch_month: BillBranchMonthTable;
  bill_branch_month_of_vnos: BillBranchMonthOfVnosTable;
  bill_month: BillMonthTable;
  bill_month_change: BillMonthChangeTable;
  bill_month_of_bills: BillMonthOfBillsTable;
  business_dpi_day: BusinessDpiDayTable;
  business_dpi_hour: BusinessDpiHourTable;
  business_flow_day: BusinessFlowDayTable;
  business_flow_hour: BusinessFlowHourTable;
  captcha: CaptchaTable;
  card_rule: CardRuleTable;
  cash_handover: CashHandoverTable;
  coa_task: CoaTaskTable;
  collected_by_operator: CollectedByOperatorTable;
  collection_day: CollectionDayTable;
  command_output: CommandOutputTable;
  config_apply: ConfigApplyTable;
  config_campaign: ConfigCampaignTable;
  config_campaign_device: ConfigCampaignDeviceTable;
  config_draft: ConfigDraftTable;
  config_file: ConfigFileTable;
  config_file_owner: ConfigFileOwnerTable;
  config_revision: ConfigRevisionTable;
  config_template: ConfigTemplateTable;
  config_template_part: ConfigTemplatePartTable;
  config_variable: ConfigVariableTable;
  customer: CustomerTable;
  danger_hash: DangerHashTable;
  danger_list: DangerListTable;
  danger_site: DangerSiteTable;
  danger_sync: DangerSyncTable;
  depot_upload: DepotUploadTable;
  desired_section: DesiredSectionTable;
  device: DeviceTable;
  device_account: DeviceAccountTable;
  device_backup: DeviceBackupTable;
  device_command: DeviceCommandTable;
  device_container: DeviceContainerTable;
  device_event: DeviceEventTable;
  device_flow: DeviceFlowTable;
  device_flow_day: DeviceFlowDayTable;
  device_group: DeviceGroupTable;
  device_load: DeviceLoadTable;
  device_status: DeviceStatusTable;
  device_stream: DeviceStreamTable;
  device_track: DeviceTrackTable;
  device_transfer: DeviceTransferTable;
  docker_log: DockerLogTable;
  document_number: DocumentNumberTable;
  domain: DomainTable;
  dpi_agent_day: DpiAgentDayTable;
  dpi_device_day: DpiDeviceDayTable;
  dpi_task: DpiTaskTable;
  export_task: ExportTaskTable;
  feedback: FeedbackTable;
  feedback_image: FeedbackImageTable;
  fence_change: FenceChangeTable;
  field_node: FieldNodeTable;
  file: FileTable;
  file_task: FileTaskTable;
  file_task_device: FileTaskDeviceTable;
  file_upload: FileUploadTable;
  firmware: FirmwareTable;
  firmware_log: FirmwareLogTable;
  firmware_model: FirmwareModelTable;
  flow_sum_day: FlowSumDayTable;
  flow_sum_hour: FlowSumHourTable;
  gateway_account: GatewayAccountTable;
  holding: HoldingTable;
  idempotency_key: IdempotencyKeyTable;
  installation: InstallationTable;
  job: JobTable;
  ledger_account: LedgerAccountTable;
  ledger_entry: LedgerEntryTable;
  ledger_posting: LedgerPostingTable;
  license: LicenseTable;
  login_rejection: LoginRejectionTable;
  mail_server: MailServerTable;
  manage_dpi_day: ManageDpiDayTable;
  manage_dpi_hour: ManageDpiHourTable;
  manage_flow_day: ManageFlowDayTable;
  manage_flow_hour: ManageFlowHourTable;
  meter: MeterTable;
  nas: NasTable;
  notice: NoticeTable;
  notice_read: NoticeReadTable;
  notify_due: NotifyDueTable;
  notify_rule: NotifyRuleTable;
  online_session: OnlineSessionTable;
  open_config: OpenConfigTable;
  operator_name: OperatorNameTable;
  outbox: OutboxTable;
  own_app_flow: OwnAppFlowTable;
  own_flow: OwnFlowTable;
  package: PackageTable;
  page_reading: PageReadingTable;
  pay_event: PayEventTable;
  pay_order: PayOrderTable;
  payment_channel: PaymentChannelTable;
  policy: PolicyTable;
  policy_log: PolicyLogTable;
  portal: PortalTable;
  portal_bundle: PortalBundleTable;
  portal_draft: PortalDraftTable;
  portal_handover: PortalHandoverTable;
  portal_known_client: PortalKnownClientTable;
  portal_parts: PortalPartsTable;
  portal_resource: PortalResourceTable;
  portal_revision: PortalRevisionTable;
  portal_session: PortalSessionTable;
  portal_task: PortalTaskTable;
  portal_template: PortalTemplateTable;
  prefix: PrefixTable;
  process_node: ProcessNodeTable;
  radius_recheck: RadiusRecheckTable;
  radius_reserve: RadiusReserveTable;
  rate_count: RateCountTable;
  recharge_card: RechargeCardTable;
  release_change: ReleaseChangeTable;
  release_event: ReleaseEventTable;
  release_rule: ReleaseRuleTable;
  release_rule_device: ReleaseRuleDeviceTable;
  release_rule_group: ReleaseRuleGroupTable;
  remember_token: RememberTokenTable;
  remote_request: RemoteRequestTable;
  remote_session: RemoteSessionTable;
  remote_token: RemoteTokenTable;
  reported_section: ReportedSectionTable;
  role: RoleTable;
  role_assign_log: RoleAssignLogTable;
  router_pass: RouterPassTable;
  service_event: ServiceEventTable;
  session: SessionTable;
  session_write: SessionWriteTable;
  setting: SettingTable;
  settlement: SettlementTable;
  settlement_of_bills: SettlementOfBillsTable;
  sms_code: SmsCodeTable;
  sms_outbox: SmsOutboxTable;
  subscriber: SubscriberTable;
  sync_log: SyncLogTable;
  syslog: SyslogTable;
  system_alarm: SystemAlarmTable;
  system_backup: SystemBackupTable;
  system_size: SystemSizeTable;
  traffic_day: TrafficDayTable;
  traffic_dirty: TrafficDirtyTable;
  traffic_state: TrafficStateTable;
  upgrade_campaign: UpgradeCampaignTable;
  upgrade_device: UpgradeDeviceTable;
  usage: UsageTable;
  user_flow: UserFlowTable;
  wan_change: WanChangeTable;
  wan_color: WanColorTable;
  wan_link_log: WanLinkLogTable;
}
