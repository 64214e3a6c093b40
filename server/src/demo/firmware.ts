import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Config } from '../env/config.ts';
import type { Db } from '../kit/deps.ts';
import { openFileStore } from '../kit/files/open-file-store.ts';
import { makeTarGz } from '../kit/formats/make-tar.ts';

const day = 86_400;
const operator = '系统管理员';

interface Release {
  readonly version: string;
  readonly models: readonly string[];
  readonly kilobytes: number;
  readonly age: number;
  readonly remark: string;
  readonly release_desc: string | null;
  /** Third-party id of the pilot VNO; without one, the release is for all. */
  readonly pilot?: string;
  readonly downloads: number;
}

const releases: readonly Release[] = [
  {
    version: '03.01.09',
    models: ['FG-100', 'FG-200', 'FG-300M', 'FG-500'],
    kilobytes: 420,
    age: 310,
    remark: '修复L波段下账号同步过于频繁的问题 / Accounts are no longer synchronised too often on L-band',
    release_desc: null,
    downloads: 5,
  },
  {
    version: '03.02.01',
    models: ['FG-100', 'FG-200', 'FG-300M', 'FG-500'],
    kilobytes: 480,
    age: 150,
    remark: '电子围栏支持圆形区域；优化低轨链路切换 / Round fences; smoother switching to low orbit',
    release_desc: '建议所有设备升级 / Recommended for every device',
    downloads: 4,
  },
  {
    version: '03.03.00',
    models: ['FG-200', 'FG-500'],
    kilobytes: 640,
    age: 12,
    remark: '远程访问使用新的隧道协议；降低断链后的重连流量 / A new tunnel for remote access; fewer bytes to reconnect',
    release_desc: '分批升级，失败超过20%自动暂停 / In waves; paused automatically when more than 20 % fail',
    downloads: 2,
  },
  {
    version: '03.04.00',
    models: ['FG-100', 'FG-300M'],
    kilobytes: 560,
    age: 3,
    remark: '试用：按应用统计流量 / Trial: traffic counted by application',
    release_desc: null,
    pilot: 'T-bluesea',
    downloads: 1,
  },
];

/** Deterministic bytes that do not compress. */
const noise = (seed: string, kilobytes: number) =>
  Buffer.concat(Array.from({ length: kilobytes * 32 }, (_, i) => createHash('sha256').update(`${seed} ${i}`).digest()));

const imageOf = ({ version, models, kilobytes }: Release) =>
  makeTarGz({ 'etc/version': `${version}\n`, 'etc/models': `${models.join('\n')}\n`, 'rootfs.squashfs': noise(version, kilobytes) });

const seedLog = async (db: Db, release: Release, firmwareId: number, fileName: string, at: number) => {
  const readers = await db
    .selectFrom('customer')
    .select(['id', 'agent_id', 'name'])
    .where('kind', '=', 'vno')
    .orderBy('id')
    .limit(release.downloads)
    .execute();
  for (const [i, reader] of readers.entries())
    await db
      .insertInto('firmware_log')
      .values({
        firmware_id: firmwareId,
        agent_id: reader.agent_id,
        customer_id: reader.id,
        version: release.version,
        model: release.models.join(', '),
        file_name: fileName,
        operator: reader.name,
        ip: `203.0.113.${10 + i}`,
        result: i === 3 ? 'fail' : 'success',
        create_at: Math.floor(at + (i + 1) * 0.4 * day),
      })
      .execute();
};

/** Versions for the simulated models, each with a real archive that a gateway can download. */
export const seedFirmware = async (db: Db, config: Pick<Config, 'dataDir' | 's3'>, now: number) => {
  const store = openFileStore(config);
  for (const release of releases) {
    const content = imageOf(release);
    const file_name = `farlink-gateway-${release.version}.tar.gz`;
    const file_key = `firmware/demo-${release.version}`;
    await store.put(file_key, Readable.from([content]), content.length);
    const pilot = release.pilot
      ? await db.selectFrom('agent').select('id').where('third_id', '=', release.pilot).executeTakeFirstOrThrow()
      : undefined;
    const create_at = now - release.age * day;
    const { id, version_key } = await db
      .insertInto('firmware')
      .values({
        version: release.version,
        file_name,
        file_key,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        remark: release.remark,
        release_desc: release.release_desc,
        display_rule: pilot ? 'vno' : 'all',
        vno_ids: pilot ? [pilot.id] : null,
        download_count: release.downloads > 3 ? release.downloads - 1 : release.downloads,
        operator,
        create_at,
        update_at: create_at,
      })
      .returning(['id', 'version_key'])
      .executeTakeFirstOrThrow();
    await db
      .insertInto('firmware_model')
      .values(release.models.map((model) => ({ firmware_id: id, model, version_key })))
      .execute();
    await seedLog(db, release, id, file_name, create_at);
  }
};
