import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from '@playwright/test';

const secret = 'sms-stand-in';

interface Sms {
  readonly to: string;
  readonly text: string;
}

const isSms = (value: unknown): value is Sms =>
  typeof value === 'object' && value !== null && 'to' in value && 'text' in value && typeof value.text === 'string';

const isSigned = ({ headers }: IncomingMessage, body: string) => {
  const time = String(headers['x-farlink-timestamp']);
  const given = Buffer.from(String(headers['x-farlink-signature']));
  const right = Buffer.from(`sha256=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`);
  return given.length === right.length && timingSafeEqual(given, right) && Math.abs(Date.now() / 1000 - Number(time)) < 60;
};

/** An SMS service of this machine: `POST` as in docs/operations.md, and `GET ?to=` for the texts to a phone, the oldest first. */
export const openSmsStandIn = async () => {
  const received: Sms[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const to = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('to');
      return void response.end(JSON.stringify(received.filter((sms) => sms.to === to).map((sms) => sms.text)));
    }
    const body = await text(request);
    const sms: unknown = isSigned(request, body) ? JSON.parse(body) : undefined;
    if (isSms(sms)) received.push(sms);
    response.writeHead(sms === undefined ? 401 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  return { url, env: { SMS_URL: url, SMS_SECRET: secret }, close: () => server.close() };
};

/** Texts that this phone received. */
export const smsTo = async (phone: string): Promise<readonly string[]> => {
  const base = process.env.E2E_SMS;
  if (!base) throw new Error('E2E_SMS must name the SMS stand-in of the server.');
  return (await fetch(`${base}?to=${encodeURIComponent(phone)}`)).json();
};

/** The code that this phone received. The signature of the VNO may have six digits too. */
export const codeTo = async (phone: string): Promise<string> => {
  const codes = async () => (await smsTo(phone)).flatMap((sms) => /(?:验证码 |code is )(\d{6})/.exec(sms)?.[1] ?? []);
  await expect.poll(codes, { intervals: [50, 100, 200] }).toHaveLength(1);
  return (await codes()).at(-1) ?? '';
};
