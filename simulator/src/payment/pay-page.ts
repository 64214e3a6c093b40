import { yuan } from '@farlink/contract/kit/money.ts';
import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import type { StandInOrder } from './order-book.ts';

const channels: Readonly<Record<StandInOrder['channel'], Text>> = { alipay: ['支付宝', 'Alipay'], wechat: ['微信支付', 'WeChat Pay'] };

const outcomes: Readonly<Record<StandInOrder['state'], Text>> = {
  waiting: ['等待付款', 'Waiting for payment'],
  paid: ['支付成功，可以关闭此页面', 'Paid. You can close this page.'],
  closed: ['订单已关闭', 'The order is closed'],
  refunded: ['已退款', 'The payment was refunded'],
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 22rem; margin: 12vh auto; padding: 0 1rem; text-align: center }
  strong { display: block; margin: .5rem 0 1.5rem; font-size: 2.25rem; font-variant-numeric: tabular-nums }
  button { width: 100%; margin-bottom: .75rem; padding: .7rem; border: 1px solid #8888; border-radius: .5rem; background: none; font: inherit; cursor: pointer }
  button[value=pay] { border-color: #1668dc; background: #1668dc; color: #fff }
  small { color: #888 }`;

/** Page of a scanned code. Forms and links are relative, so it works behind any URL. */
export const payPage = (order: StandInOrder | undefined, lang: Lang): string => {
  const t = (text: Text) => say(text, lang);
  const title = order ? t(channels[order.channel]) : t(['订单不存在', 'No such order']);
  const buttons = `<form method="post"><button name="do" value="pay">${t(['确认付款', 'Pay'])}</button><button name="do" value="cancel">${t(['取消', 'Cancel'])}</button></form>`;
  const body = order
    ? `<div>${escaped(order.subject)}</div><strong>¥${yuan(BigInt(order.cents))}</strong>
  ${order.state === 'waiting' ? buttons : `<p role="status">${t(outcomes[order.state])}</p>`}
  <small>${escaped(order.order_no)}</small>`
    : '';
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
  ${body}
  <p><small>${t(['演示支付，不会真实扣款', 'Demo payment: no real charge'])} · <a href="?lang=${lang === 'zh' ? 'en' : 'zh'}">${lang === 'zh' ? 'English' : '中文'}</a></small></p>
</body></html>`;
};
