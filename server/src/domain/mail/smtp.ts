import { isIP } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { MailSecure } from '@farlink/contract/advanced/choices.ts';
import { createTransport } from 'nodemailer';
import type { Config } from '../../env/config.ts';
import type { MailBrand } from '../brand/mail-brand.ts';
import { addressOf } from './address.ts';
import { MailFault, toFault } from './mail-fault.ts';

export interface SmtpServer {
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly secure: MailSecure;
  readonly sign: string | null;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** HTML fragment; the signature and the frame are added when it is sent. */
  readonly html: string;
  /** Same for every try, so that a receiver can detect duplicates. */
  readonly messageId: string;
  readonly brand?: MailBrand | undefined;
}

export interface SmtpPool {
  /** Returns the reply of the server; throws a `MailFault`. */
  send(mail: Mail): Promise<string>;
  close(): void;
}

export const connectionsPerServer = 3;
const connectMs = 10_000;
const idleMs = 20_000;
const totalMs = 60_000;

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (c) => escaped[c] ?? c);

const font = "font:14px/1.6 'PingFang SC','Microsoft YaHei','Segoe UI',Arial,sans-serif;color:#1f2328";

const logoId = 'logo';

const heading = ({ name, logo }: MailBrand) =>
  logo
    ? `<p style="margin:0 0 16px"><img src="cid:${logoId}" alt="${escapeHtml(name)}" height="40" style="padding:4px 0;background:#fff"></p>`
    : `<p style="margin:0 0 16px;font-size:16px;font-weight:600">${escapeHtml(name)}</p>`;

const framed = (html: string, sign: string | undefined, brand: MailBrand | undefined) =>
  `<!doctype html><html><head><meta charset="utf-8"></head><body style="margin:0;padding:16px;${font}">${brand ? heading(brand) : ''}${html}${
    sign ? `<p style="margin-top:20px;color:#656d76">${escapeHtml(sign)}</p>` : ''
  }</body></html>`;

const attached = (brand: MailBrand | undefined) =>
  brand?.logo
    ? [
        {
          filename: brand.logo.type === 'image/png' ? 'logo.png' : 'logo.jpg',
          content: brand.logo.bytes,
          contentType: brand.logo.type,
          cid: logoId,
          contentDisposition: 'inline' as const,
        },
      ]
    : [];

/** Mails never load remote content, and TLS certificates are verified. */
const optionsOf = (server: SmtpServer, address: string, ca: string | undefined) => ({
  host: address,
  port: server.port,
  ...(isIP(server.host) === 0 && { servername: server.host }),
  secure: server.secure === 'ssl',
  requireTLS: server.secure === 'starttls',
  ignoreTLS: server.secure === 'none',
  auth: { user: server.username, pass: server.password },
  tls: { minVersion: 'TLSv1.2' as const, ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }) },
  connectionTimeout: connectMs,
  greetingTimeout: connectMs,
  socketTimeout: idleMs,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Connection pool of one server, open while there are mails to send. */
export const openSmtp = async ({ mail: { allowPrivate, ca } }: Pick<Config, 'mail'>, server: SmtpServer): Promise<SmtpPool> => {
  const address = await addressOf(server.host, allowPrivate);
  // After a broken connection the mail may already be accepted, so the library must not retry by itself.
  const pool = createTransport({ ...optionsOf(server, address, ca), pool: true, maxConnections: connectionsPerServer, maxRequeues: 0 });
  // Errors are reported with the mail that they affect.
  pool.on('error', () => {});
  return {
    send: async ({ to, subject, text, html, messageId, brand }) => {
      const sign = server.sign || brand?.name;
      const timeout = Promise.withResolvers<never>();
      // Overall timeout: a server that replies very slowly never triggers the idle timeout.
      const timer = setTimeout(() => {
        timeout.reject(new MailFault('timeout', server.host));
        pool.close({ force: true });
      }, totalMs);
      try {
        const sent = pool.sendMail({
          from: { name: server.name, address: server.username },
          to: { name: '', address: to },
          subject,
          text: sign ? `${text}\n\n-- \n${sign}` : text,
          html: framed(html, sign, brand),
          attachments: attached(brand),
          messageId,
          headers: { 'auto-submitted': 'auto-generated' },
        });
        sent.catch(() => {});
        return (await Promise.race([sent, timeout.promise])).response;
      } catch (error) {
        throw toFault(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.close(),
  };
};
