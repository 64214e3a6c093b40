/** Actions of an authentication record. */
export const authAction = [
  { id: 'login', label: ['上线', 'Login'], color: 'green' },
  { id: 'logout', label: ['下线', 'Logout'], color: 'default' },
] as const;

/** Site categories of gateways. A gateway can report others. */
export const siteCategory = [
  { id: 'im', label: ['即时通讯', 'Messaging'] },
  { id: 'social', label: ['社交', 'Social'] },
  { id: 'video', label: ['视频', 'Video'] },
  { id: 'shopping', label: ['购物', 'Shopping'] },
  { id: 'search', label: ['搜索', 'Search'] },
  { id: 'news', label: ['新闻', 'News'] },
  { id: 'mail', label: ['邮箱', 'Email'] },
  { id: 'game', label: ['游戏', 'Games'] },
  { id: 'forum', label: ['论坛', 'Forum'] },
  { id: 'cloud', label: ['网盘', 'Cloud storage'] },
  { id: 'weather', label: ['天气', 'Weather'] },
  { id: 'maritime', label: ['航海', 'Maritime'] },
  { id: 'government', label: ['政务', 'Government'] },
  { id: 'work', label: ['工作', 'Work'] },
  { id: 'danger', label: ['危险网站', 'Dangerous'] },
  { id: 'adult', label: ['成人', 'Adult'] },
  { id: 'gambling', label: ['赌博', 'Gambling'] },
  { id: 'other', label: ['其他', 'Other'] },
] as const;

export const forumAction = [
  { id: 'post', label: ['发帖', 'Post'], color: 'blue' },
  { id: 'reply', label: ['回帖', 'Reply'], color: 'cyan' },
  { id: 'browse', label: ['浏览', 'Browse'], color: 'default' },
] as const;

export const mailDirection = [
  { id: 'send', label: ['发送', 'Sent'], color: 'blue' },
  { id: 'receive', label: ['接收', 'Received'], color: 'green' },
] as const;

export const terminalOs = [
  { id: 'android', label: ['安卓', 'Android'], color: 'green' },
  { id: 'ios', label: ['iOS', 'iOS'], color: 'blue' },
  { id: 'windows', label: ['Windows', 'Windows'], color: 'cyan' },
  { id: 'other', label: ['其他', 'Other'], color: 'default' },
] as const;

/** Pages that show audit data. Each has its own reason in a session. */
export const auditPage = [
  { id: 'authAccount', label: ['认证账号', 'Auth accounts'] },
  { id: 'virtualIdentity', label: ['虚拟身份', 'Virtual identities'] },
  { id: 'networkURL', label: ['网络站点', 'Network sites'] },
  { id: 'networkForum', label: ['网络论坛', 'Network forums'] },
  { id: 'electronicMail', label: ['电子邮件', 'Emails'] },
  { id: 'terminalAcquisition', label: ['终端采集', 'Terminal acquisition'] },
] as const;
export type AuditPage = (typeof auditPage)[number]['id'];

/** What was done with audit data. */
export const lookAction = [
  { id: 'list', label: ['查看', 'View'], color: 'default' },
  { id: 'reveal', label: ['查看明文', 'Reveal'], color: 'orange' },
  { id: 'export', label: ['导出', 'Export'], color: 'cyan' },
  { id: 'export_clear', label: ['导出明文', 'Export in clear'], color: 'red' },
] as const;
