/** An application that people on board use, and its server. */
export interface App {
  readonly name: string;
  readonly category: string;
  readonly host: string;
  readonly ip: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  /** Share of the traffic. */
  readonly weight: number;
}

const app = (
  name: string,
  category: string,
  host: string,
  ip: string,
  weight: number,
  port = 443,
  protocol: App['protocol'] = 'tcp',
): App => ({
  name,
  category,
  host,
  ip,
  weight,
  port,
  protocol,
});

export const apps: readonly [App, ...App[]] = [
  app('WeChat', 'im', 'short.weixin.qq.com', '109.244.216.15', 22, 443),
  app('Douyin', 'social', 'aweme.snssdk.com', '122.14.229.110', 18),
  app('Bilibili', 'video', 'upos-sz-mirrorcos.bilivideo.com', '175.4.62.97', 12),
  app('QQ Mail', 'mail', 'imap.qq.com', '203.205.232.7', 5, 993),
  app('Taobao', 'web', 'www.taobao.com', '59.82.122.115', 8),
  app('Baidu', 'web', 'www.baidu.com', '110.242.68.66', 7),
  app('WeChat Call', 'voip', 'voip.weixin.qq.com', '109.244.217.31', 9, 8000, 'udp'),
  app('Honor of Kings', 'game', 'game.qq.com', '182.254.116.117', 4, 10_012, 'udp'),
  app('Windows Update', 'update', 'download.windowsupdate.com', '23.222.28.152', 6, 80),
  app('Baidu Netdisk', 'cloud', 'pcs.baidu.com', '112.34.111.194', 6),
  app('DNS', 'other', 'dns.alidns.com', '223.5.5.5', 2, 53, 'udp'),
  app('Xunlei', 'download', 'hub5p.sandai.net', '47.92.75.245', 1, 3076),
];
