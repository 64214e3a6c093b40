/** Events of a device. */
export const notifyEvent = [
  { id: 'online', label: ['设备上线', 'Device online'], color: 'green' },
  { id: 'offline', label: ['设备离线', 'Device offline'], color: 'red' },
  { id: 'link', label: ['链路切换', 'Link switched'], color: 'orange' },
  { id: 'auth', label: ['授权到期', 'Authorization expiring'], color: 'gold' },
] as const;
export type NotifyEvent = (typeof notifyEvent)[number]['id'];

/** Events of its access points. */
export const apEvent = [
  { id: 'up', label: ['AP上线', 'AP up'], color: 'green' },
  { id: 'offline', label: ['AP离线', 'AP offline'], color: 'red' },
] as const;
export type ApEvent = (typeof apEvent)[number]['id'];

export const apState = [
  { id: 'up', label: ['上线', 'Up'], color: 'green', point: true },
  { id: 'offline', label: ['离线', 'Offline'], color: 'default', point: true },
] as const;

export const mailSecure = [
  { id: 'ssl', label: ['SSL/TLS', 'SSL/TLS'], color: 'green' },
  { id: 'starttls', label: ['STARTTLS', 'STARTTLS'], color: 'blue' },
  { id: 'none', label: ['不加密', 'None'], color: 'default' },
] as const;
export type MailSecure = (typeof mailSecure)[number]['id'];
