import type { Choices } from './kit/field.ts';

/** Choices that several pages share. */
const named: Choices = {
  UTC: ['UTC（协调世界时）', 'UTC (coordinated universal time)'],
  'UTC+8': ['UTC+8（北京时间）', 'UTC+8 (Beijing time)'],
};
const offsets = Array.from({ length: 27 }, (_, i) => (i === 12 ? 'UTC' : `UTC${i < 12 ? '' : '+'}${i - 12}`));
export const timezones: Choices = { ...Object.fromEntries(offsets.map((zone) => [zone, [zone, zone] as const])), ...named };

export const wanPorts: Choices = {
  eth0: ['网口0', 'Port 0'],
  eth1: ['网口1', 'Port 1'],
  eth2: ['网口2', 'Port 2'],
  eth3: ['网口3', 'Port 3'],
  eth4: ['网口4', 'Port 4'],
  eth5: ['网口5', 'Port 5'],
  sfp0: ['光口0', 'SFP 0'],
  wwan0: ['蜂窝模块', 'Cellular module'],
};
export const linkTypes: Choices = {
  '6d': ['6D高通量卫星', '6D HTS satellite'],
  lband: ['L波段卫星', 'L-band satellite'],
  lte: ['4G/5G蜂窝', 'LTE/5G cellular'],
  leo: ['低轨卫星', 'LEO satellite'],
  shore: ['岸基有线', 'Shore wired'],
};
export const addressModes: Choices = { static: ['静态IP', 'Static IP'], dhcp: ['DHCP', 'DHCP'], pppoe: ['PPPoE拨号', 'PPPoE'] };
export const satNetworks: Choices = { global: ['全球网', 'Global network'], second: ['第二卫星网', 'Second satellite network'] };
export const modemFamilies: Choices = {
  idirect_evolution: ['iDirect Evolution', 'iDirect Evolution'],
  idirect_velocity: ['iDirect Velocity', 'iDirect Velocity'],
  idirect_iq: ['iDirect iQ', 'iDirect iQ'],
  gilat: ['Gilat SkyEdge', 'Gilat SkyEdge'],
  newtec: ['Newtec Dialog', 'Newtec Dialog'],
  comtech: ['Comtech', 'Comtech'],
  other: ['其他', 'Other'],
};
export const antennaVendors: Choices = {
  intellian: ['Intellian', 'Intellian'],
  cobham: ['Cobham（Sailor/Sea Tel）', 'Cobham (Sailor/Sea Tel)'],
  kvh: ['KVH', 'KVH'],
  starneto: ['星网宇达', 'StarNeto'],
  cetc54: ['中国电科54所', 'CETC 54'],
  other: ['其他', 'Other'],
};
export const antennaInterfaces: Choices = {
  openamip: ['OpenAMIP', 'OpenAMIP'],
  roam: ['ROAM', 'ROAM'],
  nmea: ['NMEA+触点控制', 'NMEA with I/O console'],
  vendor: ['厂商私有协议', 'Vendor protocol'],
};
export const ssidBands: Choices = {
  both: ['2.4G+5G', '2.4 GHz and 5 GHz'],
  '2g': ['仅2.4G', '2.4 GHz only'],
  '5g': ['仅5G', '5 GHz only'],
};
export const changeModes: Choices = { default: ['默认模式', 'Default'], backup: ['备份模式', 'Backup'], roaming: ['漫游模式', 'Roaming'] };
export const linkLocks: Choices = {
  unlocked: ['未锁定', 'Unlocked'],
  global: ['锁定全球网', 'Locked to global network'],
  second: ['锁定第二卫星网', 'Locked to second satellite network'],
};
export const optStates: Choices = {
  uninitialized: ['未初始化', 'Uninitialized'],
  initialized: ['已初始化', 'Initialized'],
  update_available: ['有更新', 'Update available'],
};
export const authStates: Choices = {
  formal: ['正式', 'Licensed'],
  test: ['测试', 'Test'],
  expired: ['已过期', 'Expired'],
  suspended: ['已停用', 'Suspended'],
};
export const carrierStates: Choices = { up: ['已连接', 'Up'], down: ['未连接', 'Down'] };
export const accountTypes: Choices = {
  personal: ['个人账号', 'Personal'],
  station: ['小站账号', 'Small station'],
  job: ['工号账号', 'Job'],
  temp_card: ['临时卡账号', 'Temporary card'],
  maritime_crew: ['海事船员账号', 'Maritime crew'],
  maritime_vessel: ['海事船舶账号', 'Maritime vessel'],
};
export const appCategories: Choices = {
  web: ['网页浏览', 'Web browsing'],
  im: ['即时通讯', 'Instant messaging'],
  voip: ['语音视频通话', 'Voice and video calls'],
  video: ['网络视频', 'Video streaming'],
  social: ['社交短视频', 'Social and short video'],
  game: ['网络游戏', 'Gaming'],
  download: ['下载', 'Downloads'],
  p2p: ['P2P', 'P2P'],
  update: ['系统与应用更新', 'OS and app updates'],
  cloud: ['网盘与云同步', 'Cloud storage and sync'],
  mail: ['邮件', 'Email'],
  vpn_proxy: ['VPN与代理', 'VPN and proxy'],
  other: ['其他', 'Other'],
};
export const protocols: Choices = {
  any: ['任意', 'Any'],
  tcp: ['TCP', 'TCP'],
  udp: ['UDP', 'UDP'],
  tcp_udp: ['TCP+UDP', 'TCP+UDP'],
  icmp: ['ICMP', 'ICMP'],
  esp: ['ESP', 'ESP'],
  gre: ['GRE', 'GRE'],
};
export const logLevels: Choices = {
  debug: ['调试', 'Debug'],
  info: ['信息', 'Info'],
  notice: ['通知', 'Notice'],
  warning: ['警告', 'Warning'],
  error: ['错误', 'Error'],
  critical: ['严重', 'Critical'],
};
export const lanPurposes: Choices = {
  crew: ['船员网', 'Crew'],
  business: ['办公业务网', 'Business'],
  guest: ['访客网', 'Guest'],
  ot: ['船舶设备网（OT）', 'Vessel OT'],
  management: ['管理网', 'Management'],
};
export const lanPorts: Choices = {
  eth0: ['网口0', 'Port 0'],
  eth1: ['网口1', 'Port 1'],
  eth2: ['网口2', 'Port 2'],
  eth3: ['网口3', 'Port 3'],
  eth4: ['网口4', 'Port 4'],
  eth5: ['网口5', 'Port 5'],
  sfp0: ['光口0', 'SFP 0'],
};
export const modemStates: Choices = {
  offline: ['离线', 'Offline'],
  booting: ['启动中', 'Booting'],
  searching: ['搜索载波', 'Searching carrier'],
  rx_lock: ['接收锁定', 'Receive locked'],
  acquiring: ['入网中', 'Acquiring network'],
  in_network: ['已入网', 'In network'],
  tx_muted: ['发射静默', 'Transmit muted'],
  fault: ['故障', 'Fault'],
};
export const antennas: Choices = { a: ['天线A', 'Antenna A'], b: ['天线B', 'Antenna B'] };
export const acuStates: Choices = {
  offline: ['离线', 'Offline'],
  initializing: ['初始化', 'Initializing'],
  searching: ['搜星中', 'Searching'],
  tracking: ['跟踪中', 'Tracking'],
  blocked: ['遮挡', 'Blocked'],
  unwrapping: ['解缠绕', 'Unwrapping'],
  setup: ['维护模式', 'Setup mode'],
  fault: ['故障', 'Fault'],
};
export const satBands: Choices = { ku: ['Ku频段', 'Ku band'], ka: ['Ka频段', 'Ka band'], c: ['C频段', 'C band'] };
export const polarizations: Choices = {
  h: ['水平极化', 'Horizontal'],
  v: ['垂直极化', 'Vertical'],
  l: ['左旋圆极化', 'Left-hand circular'],
  r: ['右旋圆极化', 'Right-hand circular'],
};
export const positionSources: Choices = {
  acu: ['天线ACU', 'Antenna ACU'],
  gnss: ['内置GNSS', 'Built-in GNSS'],
  nmea0183: ['NMEA 0183', 'NMEA 0183'],
  nmea2000: ['NMEA 2000', 'NMEA 2000'],
  leo: ['低轨终端', 'LEO terminal'],
};
export const fenceCategories: Choices = {
  port: ['港口', 'Port'],
  territorial: ['领海', 'Territorial sea'],
  no_tx: ['禁发区', 'No-transmit zone'],
  beam_edge: ['波束边缘', 'Beam edge'],
  custom: ['自定义', 'Custom'],
};
export const fenceSwitches: Choices = { unchanged: ['保持不变', 'Leave unchanged'], on: ['启用', 'On'], off: ['停用', 'Off'] };
export const results: Choices = { success: ['成功', 'Success'], fail: ['失败', 'Failed'] };
export const arbiterAlgorithms: Choices = {
  priority: ['优先级', 'Priority'],
  weighted: ['加权分担', 'Weighted balance'],
  latency: ['时延最低', 'Lowest latency'],
  least_used: ['负载最低', 'Least used'],
  overflow: ['饱和溢出', 'Overflow'],
  cost: ['费用最低', 'Lowest cost'],
};
export const accountTypesOrAny: Choices = {
  any: ['不限', 'Any'],
  personal: ['个人账号', 'Personal'],
  station: ['小站账号', 'Small station'],
  job: ['工号账号', 'Job'],
  temp_card: ['临时卡账号', 'Temporary card'],
  maritime_crew: ['海事船员账号', 'Maritime crew'],
  maritime_vessel: ['海事船舶账号', 'Maritime vessel'],
};
export const arbiterReasons: Choices = {
  probe_fail: ['探测失败', 'Probe failed'],
  latency: ['时延超限', 'Latency over limit'],
  loss: ['丢包超限', 'Loss over limit'],
  load: ['链路饱和', 'Link saturated'],
  quota: ['配额用尽', 'Quota used up'],
  lock: ['链路锁定', 'Link lock'],
  fence: ['围栏限制', 'Fence'],
  manual: ['手动指定', 'Manual'],
  recovery: ['链路恢复', 'Recovered'],
  blockage: ['天线遮挡', 'Antenna blocked'],
  better: ['更优链路', 'Better link'],
};
export const limitModes: Choices = { individual: ['每终端独立', 'Per host'], shared: ['共享', 'Shared'] };
export const ipsecCiphers: Choices = {
  aes128: ['AES-128', 'AES-128'],
  aes256: ['AES-256', 'AES-256'],
  aes256gcm: ['AES-256-GCM', 'AES-256-GCM'],
  sm4: ['国密SM4', 'SM4'],
};
export const ipsecHashes: Choices = {
  sha256: ['SHA-256', 'SHA-256'],
  sha384: ['SHA-384', 'SHA-384'],
  sha512: ['SHA-512', 'SHA-512'],
  sm3: ['国密SM3', 'SM3'],
};
export const vpnRoles: Choices = { client: ['客户端', 'Client'], server: ['服务端', 'Server'] };
export const pppMethods: Choices = { pap: ['PAP', 'PAP'], chap: ['CHAP', 'CHAP'], mschapv2: ['MS-CHAPv2', 'MS-CHAPv2'] };
export const listModes: Choices = { blacklist: ['黑名单', 'Blacklist'], whitelist: ['白名单', 'Whitelist'] };
export const radioBands: Choices = { '2g': ['2.4G', '2.4 GHz'], '5g': ['5G', '5 GHz'], '6g': ['6G', '6 GHz'] };
export const schedules: Choices = { now: ['立即执行', 'Immediately'], at_time: ['预约执行', 'Scheduled'] };
export const fileTaskStates: Choices = [
  [0, '等待中', 'Waiting'],
  [1, '下载中', 'Downloading'],
  [2, '已暂停', 'Paused'],
  [100, '下载完成', 'Download complete'],
  [101, '安装失败', 'Install failed'],
  [102, '解压失败', 'Decompress failed'],
  [103, '已执行', 'Executed'],
  [104, '已解压', 'Decompressed'],
  [105, '已安装', 'Installed'],
  [200, '下载失败', 'Download failed'],
  [201, '已中止', 'Aborted'],
  [202, '文件不存在', 'File missing'],
  [203, '文件损坏', 'Corrupt'],
  [255, '已删除', 'Deleted'],
];
export const dpiStates: Choices = [
  [0, '已下发', 'Issued'],
  [1, '执行中', 'Executing'],
  [2, '上传完成', 'Upload completed'],
  [3, '已取消', 'Cancelled'],
  [4, '上传失败', 'Upload failed'],
  [5, '网关打包失败', 'Gateway packaging failed'],
  [6, '未找到数据', 'Data not found'],
  [7, '预估完成', 'Estimate complete'],
  [8, '预估失败', 'Estimate failed'],
  [9, '数据已上报', 'Data reported'],
  [10, '时段内无数据', 'No data in range'],
];
export const billingModes: Choices = [
  [1, '预计费', 'Pre-billing'],
  [2, 'AAA计费', 'AAA'],
  [3, '共存', 'Mixed'],
];
export const languages: Choices = { zh: ['中文', 'Chinese'], en: ['英文', 'English'] };
export const encodings: Choices = { utf8: ['UTF-8', 'UTF-8'], gbk: ['GBK', 'GBK'], latin1: ['Latin-1', 'Latin-1'] };
