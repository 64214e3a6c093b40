import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly subject: string;
  readonly messageId: string;
  /** Plain text part. */
  readonly text: string;
  /** True if it was received over TLS. */
  readonly secure: boolean;
}

/** Self-signed certificate for 127.0.0.1. */
export const makeCertificate = (folder: string) => {
  const key = join(folder, 'mail.key');
  const cert = join(folder, 'mail.crt');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const name = ['-subj', '/CN=mail.test', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const made = spawnSync('openssl', ['req', '-x509', ...curve, ...name, '-keyout', key, '-out', cert]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  return { path: cert, key: readFileSync(key), cert: readFileSync(cert) };
};

const decode = (part: string) => {
  const at = part.indexOf('\n\n');
  const head = part.slice(0, at);
  const body = part.slice(at + 2);
  if (/encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/encoding: quoted-printable/i.test(head)) return body;
  const bytes = body.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

const word = (_: string, how: string, content: string) =>
  how.toUpperCase() === 'B'
    ? Buffer.from(content, 'base64').toString('utf8')
    : decode(`encoding: quoted-printable\n\n${content.replaceAll('_', ' ')}`);

const header = (source: string, name: string) => {
  const found = new RegExp(`^${name}: ((?:.|\\n[ \\t])*)`, 'im').exec(source)?.[1] ?? '';
  return found
    .replace(/\n[ \t]+/g, ' ')
    .replace(/\?= +=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, word);
};

const read = (source: string): Pick<ReceivedMail, 'subject' | 'messageId' | 'text'> => {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1];
  const parts = boundary ? source.split(`--${boundary}`) : [source];
  return {
    subject: header(source, 'Subject'),
    messageId: header(source, 'Message-ID'),
    text: decode((parts.find((part) => /content-type: text\/plain/i.test(part)) ?? '').trimStart()),
  };
};

interface SinkOptions extends SMTPServerOptions {
  readonly user?: string;
  readonly password?: string;
}

/**
 * A real SMTP server that stores its mails. `replies` are the reply codes of the next recipients: 250 accepts the mail, others refuse it.
 */
export const openSink = async ({ user = 'noc@sea.cn', password = 'Sea-mail-2026', ...options }: SinkOptions = {}) => {
  const mails: ReceivedMail[] = [];
  const logins: (string | undefined)[] = [];
  const replies: number[] = [];
  let connections = 0;
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN'],
    disabledCommands: [],
    onConnect: (_, done) => {
      connections++;
      done();
    },
    onAuth: (auth, _, done) => {
      logins.push(auth.username);
      if (auth.username === user && auth.password === password) return done(null, { user });
      done(Object.assign(new Error('5.7.8 authentication failed'), { responseCode: 535 }));
    },
    onRcptTo: (_, __, done) => {
      const code = replies.shift() ?? 250;
      done(
        code === 250 ? null : Object.assign(new Error(code < 500 ? '4.2.0 greylisted' : '5.1.1 no such mailbox'), { responseCode: code }),
      );
    },
    onData: async (stream, session, done) => {
      const source = (await text(stream)).replaceAll('\r\n', '\n');
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom ? mailFrom.address : '';
      for (const { address } of rcptTo) mails.push({ from, to: address, source, secure: session.secure, ...read(source) });
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    mails,
    logins,
    replies,
    connections: () => connections,
    /** Values for the mail server form. */
    form: { name: '远联通知', user, password, host: '127.0.0.1', port, secure: 'none', sign: '蓝海运维' } as const,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
};

export type MailSink = Awaited<ReturnType<typeof openSink>>;
