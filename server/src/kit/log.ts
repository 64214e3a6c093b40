import { type DestinationStream, type Logger, pino } from 'pino';

const secrets = ['password', 'token', 'secret', 'secretKey', 'captcha', 'authorization', 'cookie'];

/** Structured lines on standard output. Whatever bears the name of a secret, as deep as two levels down, never gets there. */
export const createLog = (level: string, stream?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
    },
    stream,
  );
