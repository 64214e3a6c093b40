import { gunzipSync, gzipSync } from 'node:zlib';
import { readingBytes } from '@farlink/gateway/kit/run.ts';
import { document, flag, int, list, obj, oneOf, parseJson, record, str } from '@farlink/gateway/protocol/shape.ts';
import { sectionPattern } from '@farlink/gateway/protocol/topic.ts';
import { isOfBinding } from '../config/platform.ts';
import { upload } from '../upload.ts';
import { source } from './files.ts';
import { operation, type Run } from './operation.ts';
import { done, fail } from './result.ts';

const version = str(16, /^\d{1,2}\.\d{1,2}\.\d{1,2}$/);
const address = source.url;

const reboot: Run = async (gateway) => {
  await gateway.restart();
  return done();
};

const upgrade = operation(obj({ ...source, version }), (gateway, args, act) => gateway.firmware.upgrade(args, act));

const rollback = operation(obj({ version }), (gateway, args) => gateway.firmware.rollback(args.version));

const sectionName = str(64, sectionPattern);
/** One section is returned; several, or all, are reported in separate messages. */
const getSections = operation(obj({}, { section: sectionName, sections: list(sectionName, 400) }), (gateway, { section, sections }) => {
  if (section === undefined) {
    const names = sections ?? gateway.sections.names;
    gateway.reportSections(names, true);
    return done({ sections: names.length });
  }
  const stored = gateway.sections.get(section);
  if (!stored) return fail('no such section');
  return Buffer.byteLength(JSON.stringify(stored.doc)) > readingBytes ? fail('too large') : done({ rev: stored.rev, doc: stored.doc });
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** `FL24001000-20260801T120000.json.gz` */
const backupName = (sn: string, now: number) => `${sn}-${new Date(now * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}.json.gz`;

export const makeBackup = operation(
  obj({ put: address }, { kind: oneOf(['manual', 'auto']), any: flag }),
  async (gateway, { put, kind = 'manual', any }) => {
    const backup = {
      sn: gateway.sn,
      model: gateway.model,
      version: gateway.firmware.version,
      at: gateway.now(),
      kind,
      sections: gateway.sections.documents(),
    };
    try {
      return done({ name: backupName(gateway.sn, gateway.now()), ...(await upload(gateway, put, gzipSync(JSON.stringify(backup)), any)) });
    } catch (error) {
      return fail(`upload: ${messageOf(error)}`, 200);
    }
  },
);

const backupBody = obj({ sn: str(64), sections: record(sectionPattern, document, 400) });
const maxBackup = 20_000_000;

/** The restored sections are reported as local changes, because the console did not send them. */
export const restoreBackup = operation(
  obj({ url: address, sha256: source.sha256 }, { size: int(0, maxBackup), keep_binding: flag, any: flag }),
  async (gateway, { keep_binding = false, ...args }, act) => {
    const { code, err, body } = await gateway.files.load('backup', { size: maxBackup, ...args }, act, { whole: true });
    if (code !== 100) return fail(err ?? 'failed', code);
    let text = '';
    try {
      text = gunzipSync(body, { maxOutputLength: maxBackup }).toString();
    } catch (error) {
      return fail(messageOf(error), 102);
    }
    const parsed = parseJson(backupBody, text);
    if ('reason' in parsed) return fail(parsed.reason, 102);
    if (parsed.value.sn !== gateway.sn) return fail('a backup of another gateway', 101);
    const sections = Object.entries(parsed.value.sections).filter(([name]) => !keep_binding || !isOfBinding(name));
    for (const [name, doc] of sections) gateway.changeLocally(name, doc);
    return done({ sections: sections.length });
  },
);

export const systemOperations: Readonly<Record<string, Run>> = {
  'sys.reboot': reboot,
  'sys.upgrade': upgrade,
  'sys.rollback': rollback,
  'cfg.get': getSections,
  'backup.make': makeBackup,
  'backup.restore': restoreBackup,
};
