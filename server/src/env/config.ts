import { resolve } from 'node:path';
import { defaultPasswordRule, passwordFits, passwordHint } from '@farlink/contract/kit/password-rule.ts';
import { auditConfig, auditFaults, auditSettings } from './audit-settings.ts';
import { httpsConfig, httpsFaults, httpsSettings } from './https-settings.ts';
import { mqttConfig, mqttFaults, mqttSettings } from './mqtt-settings.ts';
import { processConfig, processFaults, processSettings } from './process-settings.ts';
import { replicaConfig, replicaSettings } from './replica-settings.ts';
import { retentionConfig, retentionSettings } from './retention-settings.ts';
import { openSecretKey } from './secret-key.ts';
import {
  type Env,
  flag,
  hostAndPort,
  letters,
  list,
  must,
  number,
  oneOf,
  optional,
  pemFile,
  secret32,
  setting,
  text,
  trustedProxies,
  url,
  wildcard,
} from './setting.ts';
import { StartError } from './start-error.ts';
import { statusConfig, statusSettings } from './status-settings.ts';

export const roles = ['api', 'worker', 'field', 'radius'] as const;
export type Role = (typeof roles)[number];

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const password = (value = '') => (passwordFits(value, defaultPasswordRule) ? value : must(passwordHint(defaultPasswordRule)[1]));

/** Every environment variable that the server reads, once. `npm start -- --help` prints this list. */
export const settings = {
  port: setting('PORT', 'TCP port of the console and the API; 0 selects a free port', number(0, 65_535), '8080'),
  host: setting('HOST', 'Address to listen on', text, '0.0.0.0'),
  publicUrl: setting(
    'PUBLIC_URL',
    'http(s) URL at which gateways and payment providers reach this server; default: the listen address',
    optional(url('https:', 'http:')),
  ),
  ...httpsSettings,
  dataDir: setting('DATA_DIR', 'Folder for the embedded database, the uploaded files and the secret key', text, './data'),
  databaseUrl: setting(
    'DATABASE_URL',
    'postgres:// URL of PostgreSQL 15 or newer; without it the embedded PostgreSQL runs',
    optional(url('postgres:', 'postgresql:')),
  ),
  roles: setting('ROLES', `Roles of this process, comma separated: ${roles.join(', ')}`, list(roles), roles.join(',')),
  ...processSettings,
  ...statusSettings,
  ...replicaSettings,
  ...mqttSettings,
  remoteSshPort: setting(
    'REMOTE_SSH_PORT',
    'TCP port for SSH tunnels of gateways (remote access); 0 selects a free port; default: 2222',
    optional(number(0, 65_535)),
  ),
  remoteSshHost: setting('REMOTE_SSH_HOST', 'Listen address for SSH tunnels', text, '0.0.0.0'),
  remoteSshAddress: setting(
    'REMOTE_SSH_ADDRESS',
    'host or host:port at which gateways reach REMOTE_SSH_PORT; default: the host of PUBLIC_URL, else 127.0.0.1',
    optional(hostAndPort),
  ),
  remoteWebPort: setting(
    'REMOTE_WEB_PORT',
    'TCP port of the web pages behind gateways, a separate origin for each session; 0 selects a free port; default: 8091',
    optional(number(0, 65_535)),
  ),
  remoteWebPorts: setting(
    'REMOTE_WEB_PORTS',
    'Number of ports after REMOTE_WEB_PORT that may be opened, for consoles opened by IP address or by a name without subdomains',
    number(0, 200),
    '16',
  ),
  remoteWebUrl: setting(
    'REMOTE_WEB_URL',
    'Public URL of REMOTE_WEB_PORT with * for the session, https://*.remote.example.com; default: names below localhost, or ports',
    optional(wildcard),
  ),
  radiusAuthPort: setting('RADIUS_AUTH_PORT', 'UDP port of RADIUS authentication; 0 for none', number(0, 65_535), '1812'),
  radiusAcctPort: setting('RADIUS_ACCT_PORT', 'UDP port of RADIUS accounting; 0 for none', number(0, 65_535), '1813'),
  radiusHost: setting('RADIUS_HOST', 'Listen address of RADIUS and RadSec', text, '0.0.0.0'),
  radsecPort: setting('RADSEC_PORT', 'TCP port of RadSec (RADIUS over TLS, PSK or certificate); 0 for none', number(0, 65_535), '2083'),
  radsecTlsCert: setting(
    'RADSEC_TLS_CERT',
    'PEM file of the certificate chain of RadSec; without it only clients with PSK can connect',
    optional(pemFile),
  ),
  radsecTlsKey: setting('RADSEC_TLS_KEY', 'PEM file of the private key of RADSEC_TLS_CERT', optional(pemFile)),
  radsecTlsCa: setting(
    'RADSEC_TLS_CA',
    'PEM file of the CA for RadSec client certificates; the common name is the identifier of the NAS',
    optional(pemFile),
  ),
  demo: setting(
    'DEMO',
    'on or off: load demo data into an empty database; default: on with the embedded database, else off',
    optional(flag),
  ),
  simulate: setting(
    'SIMULATE',
    'Number of simulated gateways that run with the demo data, or off; npm start runs 12',
    (value = '') => (value === 'off' ? 0 : /^\d{1,3}$|^1000$/.test(value) ? Number(value) : must('off or a whole number from 0 to 1000')),
    'off',
  ),
  payStandInPort: setting(
    'PAY_STANDIN_PORT',
    'Port on 127.0.0.1 of the local test provider for WeChat Pay and Alipay, 0 for none; default: 8090 with demo data, else 0',
    optional(number(0, 65_535)),
  ),
  adminPassword: setting(
    'ADMIN_PASSWORD',
    'Password of the platform administrator on an empty database; default: generated and printed once',
    optional(password),
  ),
  secretKey: setting(
    'SECRET_KEY',
    'Key that encrypts stored secrets: 32 bytes, hex or base64; default: generated into DATA_DIR/secret.key',
    optional(secret32),
  ),
  captchaFixed: setting(
    'CAPTCHA_FIXED',
    '4 letters or digits that every captcha accepts, for tests; refused with NODE_ENV=production',
    optional(letters(4)),
  ),
  logLevel: setting('LOG_LEVEL', `${levels.join(', ')}; default: info with NODE_ENV=production, else warn`, optional(oneOf(levels))),
  nodeEnv: setting('NODE_ENV', 'production for a production system', text, 'development'),
  trustProxy: setting(
    'TRUST_PROXY',
    'Proxies whose X-Forwarded-For is trusted: off, on, or addresses, comma separated',
    trustedProxies,
    'off',
  ),
  loginLockCount: setting('LOGIN_LOCK_COUNT', 'Number of wrong passwords in a row that locks an account', number(1, 100), '5'),
  loginLockMinutes: setting('LOGIN_LOCK_MINUTES', 'Minutes that an account stays locked', number(1, 1440), '10'),
  ...retentionSettings,
  ...auditSettings,
  smsUrl: setting(
    'SMS_URL',
    'http(s) endpoint that sends SMS; without it messages stay in the built-in outbox',
    optional(url('https:', 'http:')),
  ),
  smsSecret: setting('SMS_SECRET', 'Secret that signs requests to SMS_URL', optional(text)),
  mailPrivate: setting(
    'MAIL_PRIVATE',
    'on or off: allow mail servers of VNOs with private or loopback addresses; default: on with demo data, else off',
    optional(flag),
  ),
  mailCa: setting('MAIL_CA', 'PEM file of additional CA certificates for mail servers', optional(pemFile)),
  filesUrl: setting(
    'FILES_URL',
    'S3-compatible bucket for files, https://host/bucket; without it files are stored in DATA_DIR/files',
    optional(url('https:', 'http:')),
  ),
  s3AccessKey: setting('S3_ACCESS_KEY', 'Access key of FILES_URL', optional(text)),
  s3SecretKey: setting('S3_SECRET_KEY', 'Secret key of FILES_URL', optional(text)),
  s3Region: setting('S3_REGION', 'Region of FILES_URL', text, 'us-east-1'),
};

export type Config = ReturnType<typeof readConfig>;

/** Conflicts between settings, one sentence each. */
const contradictions = (env: Env): string[] => {
  const has = (s: { name: string }) => Boolean(env[s.name]?.trim());
  const { captchaFixed, nodeEnv, smsUrl, smsSecret, filesUrl, s3AccessKey, s3SecretKey } = settings;
  const faults: string[] = [];
  if (has(captchaFixed) && env[nodeEnv.name] === 'production')
    faults.push('CAPTCHA_FIXED is for tests only and is refused with NODE_ENV=production.');
  if (has(smsUrl) && !has(smsSecret)) faults.push('SMS_URL needs SMS_SECRET.');
  if (has(filesUrl) && !(has(s3AccessKey) && has(s3SecretKey))) faults.push('FILES_URL needs S3_ACCESS_KEY and S3_SECRET_KEY.');
  if (has(settings.radsecTlsCa) && !has(settings.radsecTlsCert)) faults.push('RADSEC_TLS_CA needs RADSEC_TLS_CERT.');
  if (has(settings.radsecTlsCert) !== has(settings.radsecTlsKey)) faults.push('RADSEC_TLS_CERT and RADSEC_TLS_KEY need each other.');
  faults.push(...mqttFaults(env, has), ...httpsFaults(has), ...auditFaults(has));
  if (settings.roles.fault(env).length === 0) faults.push(...processFaults(env, settings.roles.in(env)));
  return faults;
};

/** Reads and validates the whole environment. All faults are reported together, one sentence per line. */
export const readConfig = (env: Env) => {
  const faults = [...Object.values(settings).flatMap((s) => s.fault(env)), ...contradictions(env)];
  if (faults.length > 0) throw new StartError(faults.join('\n'));

  const dataDir = resolve(settings.dataDir.in(env));
  const databaseUrl = settings.databaseUrl.in(env);
  const demo = settings.demo.in(env) ?? databaseUrl === undefined;
  const production = settings.nodeEnv.in(env) === 'production';
  const smsUrl = settings.smsUrl.in(env);
  const smsSecret = settings.smsSecret.in(env);
  const filesUrl = settings.filesUrl.in(env);
  const accessKey = settings.s3AccessKey.in(env);
  const secretKey = settings.s3SecretKey.in(env);
  const radsecCert = settings.radsecTlsCert.in(env);
  const radsecKey = settings.radsecTlsKey.in(env);
  return Object.freeze({
    port: settings.port.in(env),
    host: settings.host.in(env),
    publicUrl: settings.publicUrl.in(env),
    ...httpsConfig(env),
    dataDir,
    databaseUrl,
    ...processConfig(env),
    ...statusConfig(env),
    ...replicaConfig(env),
    roles: Object.freeze(settings.roles.in(env)),
    ...mqttConfig(env),
    remote: Object.freeze({
      sshPort: settings.remoteSshPort.in(env) ?? 2222,
      sshHost: settings.remoteSshHost.in(env),
      isSshExplicit: settings.remoteSshPort.in(env) !== undefined,
      sshAddress: Object.freeze(settings.remoteSshAddress.in(env)),
      webPort: settings.remoteWebPort.in(env) ?? 8091,
      isWebExplicit: settings.remoteWebPort.in(env) !== undefined,
      webPorts: settings.remoteWebPorts.in(env),
      webUrl: settings.remoteWebUrl.in(env),
    }),
    radius: Object.freeze({
      host: settings.radiusHost.in(env),
      authPort: settings.radiusAuthPort.in(env),
      acctPort: settings.radiusAcctPort.in(env),
      radsecPort: settings.radsecPort.in(env),
      radsecTls:
        radsecCert && radsecKey ? Object.freeze({ cert: radsecCert, key: radsecKey, ca: settings.radsecTlsCa.in(env) }) : undefined,
    }),
    demo,
    simulate: demo ? settings.simulate.in(env) : 0,
    payStandInPort: settings.payStandInPort.in(env) ?? (demo ? 8090 : 0),
    adminPassword: settings.adminPassword.in(env),
    secretKey: settings.secretKey.in(env) ?? openSecretKey(dataDir),
    captchaFixed: settings.captchaFixed.in(env),
    logLevel: settings.logLevel.in(env) ?? (production ? 'info' : 'warn'),
    production,
    trustProxy: settings.trustProxy.in(env),
    loginLock: Object.freeze({ count: settings.loginLockCount.in(env), minutes: settings.loginLockMinutes.in(env) }),
    retention: retentionConfig(env),
    audit: Object.freeze({ ...auditConfig(env), region: settings.s3Region.in(env) }),
    sms: smsUrl && smsSecret ? Object.freeze({ url: smsUrl, secret: smsSecret }) : undefined,
    mail: Object.freeze({ allowPrivate: settings.mailPrivate.in(env) ?? demo, ca: settings.mailCa.in(env) }),
    s3:
      filesUrl && accessKey && secretKey
        ? Object.freeze({ url: filesUrl, accessKey, secretKey, region: settings.s3Region.in(env) })
        : undefined,
  });
};
