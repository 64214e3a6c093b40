import type { StatusLevel, StatusSectionName } from '@farlink/contract/advanced/system-status.ts';
import type { Text } from '@farlink/contract/kit/text.ts';

export const levelTexts: Readonly<Record<StatusLevel, { readonly label: Text; readonly color: string }>> = {
  ok: { label: ['正常', 'OK'], color: 'green' },
  warning: { label: ['警告', 'Warning'], color: 'gold' },
  critical: { label: ['严重', 'Critical'], color: 'red' },
};

export const partTexts: Readonly<Record<StatusSectionName, Text>> = {
  nodes: ['进程', 'Processes'],
  lag: ['处理延迟', 'Lag'],
  queues: ['队列', 'Queues'],
  database: ['数据库', 'Database'],
  backup: ['备份', 'Backup'],
  certificates: ['证书', 'Certificates'],
  broker: ['网关接入', 'Gateway access'],
  evidence: ['审计证据', 'Audit evidence'],
};

export const texts = {
  allOk: ['系统运行正常', 'All systems are working'],
  hasWarnings: ['系统运行中，有 {0} 个警告', 'Working. Warnings: {0}'],
  hasCritical: ['有 {0} 个严重问题', 'Critical problems: {0}'],
  overall: ['总体状态', 'Overall state'],
  findings: ['需要处理的问题', 'Problems to solve'],
  at: ['{0} 更新，每 {1} 秒刷新', 'As of {0}, every {1} s'],
  stale: ['无法刷新，显示的是 {0} 的状态', 'Not refreshed. This is the state of {0}.'],
  unreadable: ['无法读取', 'Could not be read'],
  none: ['无', 'None'],
  loading: ['加载中', 'Loading'],

  running: ['运行中', 'Running'],
  gone: ['已失联', 'Gone'],
  seen: ['最后心跳 {0}', 'Last heartbeat {0}'],
  since: ['启动于 {0}', 'Started {0}'],
  older: ['旧版本', 'Older version'],
  cpu: ['CPU', 'CPU'],
  memory: ['内存', 'Memory'],
  loop: ['事件循环延迟', 'Event loop delay'],
  pool: ['数据库连接', 'Database connections'],
  poolUse: ['{0} / {1}，等待 {2}', '{0} of {1}, {2} waiting'],
  disk: ['磁盘剩余', 'Disk free'],
  diskFree: ['{0}（共 {1}）', '{0} of {1}'],

  ingest: ['用量计费', 'Charging of usage'],
  ingestMore: ['内存中等待入库的消息：{0}', 'Messages waiting in memory: {0}'],
  rollup: ['流量汇总', 'Traffic figures'],
  rollupMore: ['最早未汇总：{0}', 'Oldest hour: {0}'],
  seal: ['审计封存', 'Audit sealing'],
  jobs: ['后台任务', 'Jobs'],
  noLag: ['无延迟', 'Up to date'],

  mails: ['待发邮件', 'Mails to send'],
  sms: ['待发短信', 'SMS to send'],
  exports: ['未完成的导出', 'Open exports'],
  commands: ['待下发命令', 'Commands waiting'],
  sections: ['待下发配置', 'Configuration waiting'],
  usage: ['待计费用量', 'Usage to charge'],
  oldest: ['最早的已等待 {0}', 'Oldest waits {0}'],
  failedDay: ['24 小时内失败 {0}', '{0} failed in 24 hours'],
  noServer: ['未设置邮件服务器', 'No mail server is set'],
  jobKinds: ['任务种类', 'Jobs by kind'],
  jobCounts: ['等待 {0}，运行 {1}，失败 {2}', '{0} waiting, {1} running, {2} failed'],
  noJobs: ['没有等待的任务', 'No job waits'],
  waitsForGateways: ['包括离线网关', 'Offline gateways included'],

  size: ['大小', 'Size'],
  dayGrowth: ['24 小时增长', 'Growth in 24 hours'],
  weekGrowth: ['7 天增长', 'Growth in 7 days'],
  notYet: ['尚无数据', 'Not known yet'],
  connections: ['连接', 'Connections'],
  connectionUse: ['{0} / {1}', '{0} of {1}'],
  transaction: ['最长事务', 'Longest transaction'],
  replica: ['只读副本', 'Read replica'],
  noReplica: ['未设置', 'Not set'],
  replicaUsed: ['使用中，延迟 {0}', 'In use, {0} behind'],
  replicaOff: ['未使用：不可达或落后过多', 'Not used: unreachable or too far behind'],
  tables: ['最大的表', 'Largest tables'],
  rows: ['约 {0} 行', 'about {0} rows'],
  weekOf: ['{0} 起', 'From {0}'],
  earlier: ['更早', 'Earlier'],

  lastBackup: ['最近一次备份', 'Last backup'],
  noBackup: ['还没有备份', 'No backup'],
  external: ['由您自己的 PostgreSQL 备份工具负责，此处不可见', 'Made by the tools of your own PostgreSQL; not visible here'],
  backupFile: ['文件', 'File'],
  backupFailed: ['最近失败', 'Last failure'],

  expires: ['{0} 到期，剩余 {1}', 'Expires {0}, in {1}'],
  expired: ['已于 {0} 过期', 'Expired {0}'],
  noCertificates: ['没有证书', 'No certificates'],

  gateways: ['已连接网关', 'Connected gateways'],
  endpoint: ['内置接入', 'Built-in endpoint'],
  external_broker: ['外部代理', 'External broker'],
  connected: ['已连接', 'Connected'],
  standby: ['未连接', 'Not connected'],
  rates: ['网关 {0}，接收 {1}/秒，拒绝 {2}/秒', '{0} gateways, {1} accepted/s, {2} refused/s'],
  noListener: ['没有进程接收网关连接', 'No process listens for gateways'],

  checkpoint: ['最近检查点', 'Last checkpoint'],
  entries: ['{0} 项', '{0} entries'],
  verified: ['已核验至', 'Verified to'],
  verification: ['最近核验', 'Last verification'],
  verificationOf: ['{0}，发现问题 {1}', '{0}, {1} findings'],
} as const satisfies Record<string, Text>;

export const certificateUses: Readonly<Record<'domain' | 'https' | 'mqtt' | 'radsec', Text>> = {
  domain: ['域名', 'Domain'],
  https: ['HTTPS', 'HTTPS'],
  mqtt: ['MQTT', 'MQTT'],
  radsec: ['RadSec', 'RadSec'],
};
