// Written from server/migrations by `npm run tables`; edits are lost.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

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
}

export interface AgentBranchTable {
  id: number | null;
  path: string | null;
  name: string | null;
}

export interface AgentPastTable {
  id: number;
  path: string;
  name: string;
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

export interface CaptchaTable {
  id: string;
  answer_hash: string;
  expire_at: number;
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
}

export interface DeviceTable {
  id: Generated<number>;
  agent_id: number;
  name: string;
  sn: string;
  create_at: number;
  device_group_id: number | null;
}

export interface DeviceGroupTable {
  id: Generated<number>;
  agent_id: number;
  name: string;
  create_at: number;
}

export interface ExportTaskTable {
  id: GeneratedAlways<number>;
  customer_id: number | null;
  agent_id: number | null;
  job_id: number | null;
  title_zh: string;
  title_en: string;
  call: string;
  format: 'csv' | 'xlsx';
  payload: ColumnType<import('../kit/export-task.ts').ExportPayload, string, string>;
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

export interface HoldingTable {
  id: Generated<number>;
  subscriber_id: number;
  package_id: number;
  agent_id: number;
  start_at: number;
  activate_at: number | null;
  expire_at: number | null;
  used_flow: Generated<number>;
  used_time: Generated<number>;
  cycle_index: Generated<number>;
  cycle_used: Generated<number>;
  reminded: Generated<boolean>;
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
  lang: Generated<import('@farlink/contract/kit/text.ts').Lang>;
  rights: ColumnType<import('../kit/ctx.ts').SessionInfo | null, string | null | undefined, string | null>;
  result: ColumnType<Json | null, string | null | undefined, string | null>;
  error: string | null;
  create_at: number;
  start_at: number | null;
  finish_at: number | null;
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

export interface LoginFailureTable {
  username: string;
  err_count: number;
  lock_until: Generated<number>;
  update_at: number;
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

export interface PrefixTable {
  id: Generated<number>;
  agent_id: number;
  prefix: string;
  remark: string | null;
  creator: string;
  create_at: number;
}

export interface RechargeCardTable {
  id: Generated<number>;
  agent_id: number;
  number: string;
  create_at: number;
}

export interface RememberTokenTable {
  token_hash: string;
  customer_id: number;
  expire_at: number;
}

export interface RemoteTokenTable {
  token_hash: string;
  customer_id: number;
  acted_by: string;
  expire_at: number;
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
  permissions: ColumnType<Record<string, import('@farlink/contract/kit/field.ts').Grant>, string, string>;
  gateway_permissions: ColumnType<Record<string, import('@farlink/contract/kit/field.ts').Grant>, string | undefined, string>;
  remark: string | null;
  creator: string;
  create_at: number;
  update_at: number;
  version: Generated<number>;
}

export interface SessionTable {
  id: Generated<number>;
  token_hash: string;
  customer_id: number;
  agent_id: number;
  info: ColumnType<import('../kit/ctx.ts').SessionInfo, string, string>;
  acted_by: string | null;
  ip: string;
  create_at: number;
  seen_at: number;
}

export interface SettingTable {
  agent_id: number;
  name: string;
  value: ColumnType<Json, string, string>;
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
  device_id: number | null;
  account: string;
  password_hash: string;
  name: string;
  phone: string;
  id_number: string | null;
  source: string;
  create_at: number;
}

export interface SyslogTable {
  id: Generated<number>;
  agent_id: number;
  customer_id: number | null;
  username: string;
  name: string;
  module: import('@farlink/contract/kit/endpoint.ts').Module;
  action: import('@farlink/contract/log/operator-log.ts').LogAction;
  content_zh: string;
  content_en: string;
  result: 'success' | 'fail';
  message_zh: string | null;
  message_en: string | null;
  before: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  after: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  acted_by: string | null;
  ip: string;
  user_agent: string;
  create_at: number;
}

export interface Database {
  agent: AgentTable;
  agent_branch: AgentBranchTable;
  agent_past: AgentPastTable;
  application: ApplicationTable;
  captcha: CaptchaTable;
  customer: CustomerTable;
  device: DeviceTable;
  device_group: DeviceGroupTable;
  export_task: ExportTaskTable;
  holding: HoldingTable;
  job: JobTable;
  license: LicenseTable;
  login_failure: LoginFailureTable;
  outbox: OutboxTable;
  package: PackageTable;
  policy: PolicyTable;
  prefix: PrefixTable;
  recharge_card: RechargeCardTable;
  remember_token: RememberTokenTable;
  remote_token: RemoteTokenTable;
  role: RoleTable;
  session: SessionTable;
  setting: SettingTable;
  sms_code: SmsCodeTable;
  sms_outbox: SmsOutboxTable;
  subscriber: SubscriberTable;
  syslog: SyslogTable;
}
