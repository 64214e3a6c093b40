import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, settings } from './config.ts';
import { StartError } from './start-error.ts';

const key = 'ab'.repeat(32);
const read = (env: Record<string, string> = {}) => readConfig({ SECRET_KEY: key, ...env });

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    read(env);
  } catch (error) {
    if (error instanceof StartError) return error.message.split('\n');
    throw error;
  }
  return [];
};

describe('an empty environment', () => {
  test('gives a server on 8080 with the embedded database and demo data', () => {
    expect(read()).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      roles: ['api', 'worker', 'field', 'radius'],
      mqtt: { port: 1883, isExplicit: false, host: '0.0.0.0', tls: undefined },
      demo: true,
      production: false,
      logLevel: 'warn',
      trustProxy: false,
      loginLock: { count: 5, minutes: 10 },
      retention: { telemetryDays: 370, reportDays: 100, trafficDays: 1095, logDays: 400 },
      sms: undefined,
      s3: undefined,
    });
  });

  test('is frozen, also inside', () => {
    const config = read();
    expect(Object.isFrozen(config) && Object.isFrozen(config.roles) && Object.isFrozen(config.loginLock)).toBe(true);
  });

  test('counts a blank variable as absent', () => {
    expect(read({ PORT: ' ', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined });
  });
});

describe('a given value', () => {
  test('turns demo data off with DATABASE_URL, unless DEMO is on', () => {
    const DATABASE_URL = 'postgres://u:p@db.example:5432/farlink';
    expect(read({ DATABASE_URL }).demo).toBe(false);
    expect(read({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true);
    expect(read({ DEMO: 'off' }).demo).toBe(false);
  });

  test('sets address, user and default port of the broker, or is refused', () => {
    expect(read().broker).toBeUndefined();
    expect(read({ BROKER_URL: 'mqtt://console:p%40ss%@10.0.0.7' }).broker).toMatchObject({
      address: { host: '10.0.0.7', port: 1883, tls: false, username: 'console', password: 'p%40ss%', ca: undefined },
    });
    expect(read({ BROKER_URL: 'mqtts://console:p%40ss@[::1]:8884', BROKER_PASSWORD_FILE: '/run/passwd' }).broker).toMatchObject({
      address: { host: '::1', port: 8884, tls: true, username: 'console', password: 'p@ss' },
      passwordFile: '/run/passwd',
    });
    expect(faultsOf({ BROKER_URL: 'http://host' })).toEqual(['BROKER_URL must be an address that starts with mqtt:// or mqtts://.']);
    expect(faultsOf({ BROKER_PASSWORD_FILE: 'x' })).toEqual(['BROKER_CA and BROKER_PASSWORD_FILE need BROKER_URL.']);
    expect(faultsOf({ BROKER_PASSWORD_FILE: 'x', BROKER_URL: 'mqtt://console@host' })).toEqual([
      'BROKER_PASSWORD_FILE needs a user and a password in BROKER_URL.',
    ]);
  });

  test('simulates gateways only with demo data, in the requested number', () => {
    expect(read().simulate).toBe(0);
    expect(read({ SIMULATE: '5' }).simulate).toBe(5);
    expect(read({ SIMULATE: 'off' }).simulate).toBe(0);
    expect(read({ SIMULATE: '5', DEMO: 'off' }).simulate).toBe(0);
    expect(faultsOf({ SIMULATE: 'many' })).toEqual(['SIMULATE must be off or a whole number from 0 to 1000.']);
  });

  test('starts the stand-in for payment providers with demo data, and otherwise only on request', () => {
    expect(read().payStandInPort).toBe(8090);
    expect(read({ DEMO: 'off' }).payStandInPort).toBe(0);
    expect(read({ DEMO: 'off', PAY_STANDIN_PORT: '9000' }).payStandInPort).toBe(9000);
    expect(read({ PAY_STANDIN_PORT: '0', PUBLIC_URL: 'https://pay.example' })).toMatchObject({
      payStandInPort: 0,
      publicUrl: 'https://pay.example',
    });
  });

  test('sets the log level, which is info by default in production', () => {
    expect(read({ NODE_ENV: 'production' })).toMatchObject({ production: true, logLevel: 'info' });
    expect(read({ NODE_ENV: 'production', LOG_LEVEL: 'error' }).logLevel).toBe('error');
  });

  test('is combined with related settings for SMS and S3', () => {
    expect(read({ SMS_URL: 'https://sms.example/send', SMS_SECRET: 's' }).sms).toEqual({ url: 'https://sms.example/send', secret: 's' });
    expect(read({ FILES_URL: 'https://s3.example/bucket', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' }).s3).toEqual({
      url: 'https://s3.example/bucket',
      accessKey: 'a',
      secretKey: 'b',
      region: 'us-east-1',
    });
  });

  test.each([
    ['off', false],
    ['on', true],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('TRUST_PROXY=%s is understood', (text, value) => {
    expect(read({ TRUST_PROXY: text }).trustProxy).toEqual(value);
  });

  test('reads the key as hex and as base64', () => {
    expect(read().secretKey.toString('hex')).toBe(key);
    expect(read({ SECRET_KEY: Buffer.from(key, 'hex').toString('base64') }).secretKey.toString('hex')).toBe(key);
  });
});

describe('a wrong setting', () => {
  test.each([
    ['PORT', '80a', 'PORT must be a whole number from 0 to 65535.'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535.'],
    ['ROLES', 'api,cook', 'ROLES must be a comma-separated list of api, worker, field, radius.'],
    ['DEMO', 'maybe', 'DEMO must be on or off.'],
    ['SECRET_KEY', 'abc', 'SECRET_KEY must be 32 bytes, as 64 hex digits or 44 characters of base64.'],
    ['CAPTCHA_FIXED', '88888', 'CAPTCHA_FIXED must be 4 letters or digits.'],
    ['DATABASE_URL', 'mysql://db/x', 'DATABASE_URL must be an address that starts with postgres:// or postgresql://.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.'],
    ['TRUST_PROXY', '2', 'TRUST_PROXY must be off, on, or addresses, comma separated.'],
    ['LOGIN_LOCK_COUNT', '0', 'LOGIN_LOCK_COUNT must be a whole number from 1 to 100.'],
    ['TELEMETRY_DAYS', '30', 'TELEMETRY_DAYS must be a whole number from 100 to 3650.'],
    ['ROLES', 'worker', 'ROLES with only one of api and worker needs FILES_URL, or FILES_SHARED=on if DATA_DIR/files is a shared folder.'],
    ['DATABASE_POOL', '1', 'DATABASE_POOL must be a whole number from 4 to 500.'],
    ['LOG_DAYS', '365', 'LOG_DAYS must be a whole number from 366 to 3650.'],
  ])('%s=%s is refused in one sentence', (name, value, sentence) => {
    expect(faultsOf({ [name]: value })).toEqual([sentence]);
  });

  test('is not reported for split roles with a bucket, with a shared folder, or without api and worker', () => {
    const bucket = { FILES_URL: 'https://s3.example/b', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 's' };
    expect(faultsOf({ ROLES: 'api,field', ...bucket })).toEqual([]);
    expect(faultsOf({ ROLES: 'worker', FILES_SHARED: 'on' })).toEqual([]);
    expect(faultsOf({ ROLES: 'field,radius' })).toEqual([]);
  });

  test('never shows a password in its message', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://root:hunter2@db/x', ADMIN_PASSWORD: 'hun' }).join()).not.toContain('hun');
  });

  test('is reported together with all the others', () => {
    expect(faultsOf({ PORT: 'x', DEMO: 'y', SMS_URL: 'https://sms.example', FILES_URL: 'https://s3.example/b' })).toEqual([
      'PORT must be a whole number from 0 to 65535.',
      'DEMO must be on or off.',
      'SMS_URL needs SMS_SECRET.',
      'FILES_URL needs S3_ACCESS_KEY and S3_SECRET_KEY.',
    ]);
  });

  test('can depend on the mode: a fixed captcha is refused only in production', () => {
    expect(read({ CAPTCHA_FIXED: '8888' }).captchaFixed).toBe('8888');
    expect(faultsOf({ CAPTCHA_FIXED: '8888', NODE_ENV: 'production' })).toHaveLength(1);
  });
});

describe('the secret key in the data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'farlink-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is created once, readable by its owner only, and found again', () => {
    const dataDir = join(folder, 'new');
    const first = readConfig({ DATA_DIR: dataDir }).secretKey;
    expect(first).toHaveLength(32);
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readConfig({ DATA_DIR: dataDir }).secretKey).toEqual(first);
  });

  test('is never replaced when damaged', () => {
    writeFileSync(join(folder, 'secret.key'), 'half');
    expect(() => readConfig({ DATA_DIR: folder })).toThrow(/does not contain a key of 32 bytes/);
    expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toBe('half');
  });

  test.each(['file', 'file/below'])('needs a folder: %s is refused', (path) => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => readConfig({ DATA_DIR: join(folder, path) })).toThrow(StartError);
  });

  test('needs a place where a folder can be created', () => {
    expect(() => readConfig({ DATA_DIR: '/proc/nothing/here' })).toThrow(StartError);
  });
});

test('every setting has a unique name and a description', () => {
  const names = Object.values(settings).map((s) => s.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, about } of Object.values(settings)) {
    expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
    expect(about.length).toBeGreaterThan(10);
  }
});
