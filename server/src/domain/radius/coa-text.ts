import type { Text } from '@farlink/contract/kit/text.ts';

const states: Readonly<Record<string, Text>> = {
  waiting: ['等待发送', 'Waiting'],
  sent: ['已发送', 'Sent'],
  acked: ['已确认', 'Acknowledged'],
  refused: ['已拒绝', 'Refused'],
  no_answer: ['无应答', 'No answer'],
};

/** Error-Cause of RFC 5176 3.5. */
const causes: Readonly<Record<number, Text>> = {
  401: ['不支持的属性', 'unsupported attribute'],
  402: ['缺少属性', 'missing attribute'],
  403: ['NAS标识不符', 'NAS identification mismatch'],
  404: ['请求无效', 'invalid request'],
  405: ['不支持的服务', 'unsupported service'],
  406: ['不支持的扩展', 'unsupported extension'],
  501: ['管理员禁止', 'administratively prohibited'],
  502: ['请求无法路由', 'request not routable'],
  503: ['会话不存在', 'session not found'],
  504: ['会话无法结束', 'session not removable'],
  506: ['资源不足', 'resources unavailable'],
  508: ['匹配多个会话', 'several sessions match'],
};

/** State of a request to a NAS, with the reason of a refusal. */
export const coaText = (state: string, cause: number | null): Text => {
  const [zh, en] = states[state] ?? ['', ''];
  if (state !== 'refused' || cause === null) return [zh, en];
  const [label, reason] = causes[cause] ?? [String(cause), String(cause)];
  return [`${zh}：${label}`, `${en}: ${reason}`];
};
