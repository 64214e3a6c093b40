import { type Env, mailAddress, must, optional, setting, url } from './setting.ts';

const kinds = ['auth', 'identity', 'url', 'forum', 'mail', 'terminal'] as const;
/** Network logs are kept for six months by law. */
const minDays = 180;
const maxDays = 3650;

/** `200`, or `200,url=180,auth=400`: days of all kinds, then of single kinds. */
const daysByKind = (value = ''): Readonly<Record<(typeof kinds)[number], number>> => {
  const refuse = () => must(`a whole number from ${minDays} to ${maxDays}, optionally followed by kinds, such as 200,url=180`);
  const daysOf = (text = '') => {
    const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    return days >= minDays && days <= maxDays ? days : refuse();
  };
  const [first, ...rest] = value.split(',').map((entry) => entry.trim());
  const days = daysOf(first);
  const byKind = { auth: days, identity: days, url: days, forum: days, mail: days, terminal: days };
  for (const entry of rest) {
    const [name, text] = entry.split('=');
    byKind[kinds.find((kind) => kind === name) ?? refuse()] = daysOf(text);
  }
  return Object.freeze(byKind);
};

const mailAddresses = (value = ''): readonly string[] => value.split(',').map((part) => mailAddress(part.trim()));

export const auditSettings = {
  auditDays: setting(
    'AUDIT_DAYS',
    `Retention in days of audit data, in whole weeks, at least ${minDays}; single kinds may differ: 200,url=180 (${kinds.join(', ')})`,
    daysByKind,
    '200',
  ),
  auditAnchorUrl: setting(
    'AUDIT_ANCHOR_URL',
    'S3-compatible bucket with object lock that gets checkpoints of the audit log, https://host/bucket; uses S3_ACCESS_KEY',
    optional(url('https:', 'http:')),
  ),
  auditAnchorMail: setting(
    'AUDIT_ANCHOR_MAIL',
    'Mail addresses that get a checkpoint of the audit log each day, comma separated',
    optional(mailAddresses),
  ),
};

export const auditConfig = (env: Env) =>
  Object.freeze({
    days: auditSettings.auditDays.in(env),
    anchorUrl: auditSettings.auditAnchorUrl.in(env),
    anchorMail: auditSettings.auditAnchorMail.in(env) ?? [],
    accessKey: env.S3_ACCESS_KEY?.trim() ?? '',
    secretKey: env.S3_SECRET_KEY?.trim() ?? '',
  });

export const auditFaults = (has: (s: { name: string }) => boolean): string[] =>
  has(auditSettings.auditAnchorUrl) && !(has({ name: 'S3_ACCESS_KEY' }) && has({ name: 'S3_SECRET_KEY' }))
    ? ['AUDIT_ANCHOR_URL needs S3_ACCESS_KEY and S3_SECRET_KEY.']
    : [];
