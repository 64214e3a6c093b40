import { fill, type Text } from '@farlink/contract/kit/text.ts';

const texts = {
  none: ['没有启用的邮件服务器', 'No mail server is enabled'],
  lookup: ['找不到服务器 {0}', 'Server {0} not found'],
  private: ['不允许使用内网地址：{0}', 'Private addresses are not allowed: {0}'],
  connect: ['无法连接服务器：{0}', 'Cannot connect to the server: {0}'],
  timeout: ['服务器没有响应：{0}', 'The server did not respond: {0}'],
  tls: ['无法建立加密连接：{0}', 'Cannot establish a secure connection: {0}'],
  login: ['登录被拒绝：{0}', 'Login refused: {0}'],
  sender: ['发件账号被拒绝：{0}', 'Sender refused: {0}'],
  refused: ['邮件被拒收：{0}', 'Mail refused: {0}'],
  later: ['服务器暂时不收：{0}', 'The server is not accepting mail now: {0}'],
  other: ['{0}', '{0}'],
} as const satisfies Record<string, Text>;

export type FaultReason = keyof typeof texts;

/** Reason why a mail was not sent, with the reply of the server. */
export class MailFault extends Error {
  readonly reason: FaultReason;
  readonly reply: string;

  constructor(reason: FaultReason, reply: string) {
    super(`${reason}: ${reply}`);
    this.reason = reason;
    this.reply = reply;
  }

  /** A retry would get the same reply. */
  get isFinal() {
    return this.reason === 'refused';
  }

  /** The server failed as a whole, so the other mails need not be tried. */
  get isForAll() {
    return !['refused', 'later', 'other'].includes(this.reason);
  }
}

const isReason = (reason: string | null): reason is FaultReason => reason !== null && reason in texts;

export const faultText = (reason: string | null, reply: string | null): Text =>
  fill(texts[isReason(reason) ? reason : 'other'], reply ?? '');

interface LibraryError {
  readonly code?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly response?: string | undefined;
  readonly permanent?: boolean | undefined;
  readonly command?: string | undefined;
}

const longest = 500;

/** One line for people. Server replies are untrusted: they may be long or contain control characters. */
const oneLine = (text: string) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longest);

const reasonOf = ({ code, responseCode, permanent, command }: LibraryError): FaultReason => {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login';
  if (code === 'ETLS') return 'tls';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code === 'EDNS') return 'lookup';
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    // An invalid address is refused before the server is contacted.
    if (responseCode === undefined || permanent) return code === 'EENVELOPE' && command === 'MAIL FROM' ? 'sender' : 'refused';
    return 'later';
  }
  return code === 'ECONNECTION' || code === 'ESOCKET' || code === 'EPROTOCOL' ? 'connect' : 'other';
};

const isCertificate = (text: string) => /certificate|altname|self.signed|SSL routines|wrong version number/i.test(text);

/** Converts an SMTP library error. The original object is dropped, because it may contain data that must not be shown. */
export const toFault = (error: unknown): MailFault => {
  if (error instanceof MailFault) return error;
  const raised: LibraryError = typeof error === 'object' && error !== null ? error : {};
  const reply = oneLine(raised.response ?? (error instanceof Error ? error.message : String(error)));
  const reason = reasonOf(raised);
  return new MailFault((reason === 'connect' || reason === 'other') && isCertificate(reply) ? 'tls' : reason, reply);
};
