import { type DestinationStream, type Logger, pino } from 'pino';

const secrets = ['password', 'token', 'secret', 'secretKey', 'captcha', 'authorization', 'cookie'];

interface RequestLog {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  readonly ip: string;
}

/** Without its query: the link into another account carries its token there. */
const req = ({ method, url, host, ip }: RequestLog) => ({ method, url: url.split('?')[0], host, remoteAddress: ip });

/** Structured lines on standard output. Whatever bears the name of a secret, as deep as two levels down, never gets there. */
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
