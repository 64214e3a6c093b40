import { type DestinationStream, type Logger, pino } from 'pino';

const secrets = ['password', 'token', 'secret', 'secretKey', 'captcha', 'authorization', 'cookie'];

interface RequestLog {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  readonly ip: string;
}

/** Without the query string, because a login link contains its token there. */
const req = ({ method, url, host, ip }: RequestLog) => ({ method, url: url.split('?')[0], host, remoteAddress: ip });

/** Structured log on standard output. Fields with secret names are removed, up to two levels deep. */
export const createLog = (level: string, stream?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { req },
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
    },
    stream,
  );
