import { Random } from '@farlink/contract/kit/random.ts';
import { domainHash } from '@farlink/gateway/protocol/danger-list.ts';
import { type Message, storeMessages } from '../field/store/store.ts';
import type { Db, Deps } from '../kit/deps.ts';
import { namesOf } from '../modules/advanced/danger-site/read-entry.ts';

const day = 86_400;
const boot = 'dngr0001';
/** Days with hits before the first start. */
const hitDays = 7;

interface DemoSite {
  readonly typed: string;
  readonly kind: 'gambling' | 'fraud' | 'porn' | 'malware' | 'other';
  readonly remark?: string;
  /** Days ago. */
  readonly ago: number;
  readonly off?: true;
  /** Share of the days of a ship with hits. */
  readonly share?: number;
}

/** Simulated people on board open some of these websites. */
const demoSites: readonly DemoSite[] = [
  { typed: 'https://www.lucky-casino.example/', kind: 'gambling', remark: '通报线上赌场', ago: 120 },
  { typed: 'lucky-casino.example', kind: 'gambling', remark: '含全部子域名', ago: 118, share: 0.5 },
  { typed: 'golden-dice.example', kind: 'gambling', ago: 96, share: 0.35 },
  { typed: '澳门新赌场.example', kind: 'gambling', remark: 'IDN', ago: 90, share: 0.1 },
  { typed: 'prize-claim.example', kind: 'fraud', remark: '虚假中奖', ago: 74, share: 0.3 },
  { typed: 'refund-center.example', kind: 'fraud', remark: '虚假退款客服', ago: 61, share: 0.2 },
  { typed: '中奖通知.example', kind: 'fraud', ago: 60, share: 0.05 },
  { typed: 'fake-bank.example', kind: 'fraud', remark: '仿冒网银', ago: 33 },
  { typed: 'free-stream.example', kind: 'porn', ago: 31, share: 0.4 },
  { typed: 'http://update.flash-player.example/setup.exe', kind: 'malware', remark: '伪装播放器更新', ago: 12, share: 0.15 },
  { typed: '8.222.14.90', kind: 'malware', remark: '木马下载地址', ago: 9, share: 0.1 },
  { typed: 'old-casino.example', kind: 'gambling', remark: '已关停', ago: 400, off: true },
];

export const seedDangerSites = async (db: Db, now: number) => {
  const { name } = await db.selectFrom('customer').select('name').where('username', '=', 'admin').executeTakeFirstOrThrow();
  const rows = demoSites.map(({ typed, kind, remark, ago, off }) => {
    const at = now - ago * day;
    return { ...namesOf(typed), kind, status: off ? 0 : 1, remark: remark ?? null, creator: name, create_at: at, update_at: at } as const;
  });
  await db.insertInto('danger_site').values(rows).execute();
};

/** Hits of the last days, through the handlers of the device protocol. */
export const seedDangerHits = async ({ db, pool, clock }: Deps) => {
  const random = new Random(5353);
  const now = clock.now();
  const ships = await db.selectFrom('device').select('sn').where('access_at', 'is not', null).orderBy('id').limit(20).execute();
  const messages: Message[] = [];
  for (const { sn } of ships)
    for (let ago = hitDays; ago > 0; ago--)
      for (const [i, { typed, share = 0 }] of demoSites.entries()) {
        if (random.next() >= share) continue;
        const t = now - ago * day + random.int(0, 20 * 3600);
        const doc = { site: domainHash(namesOf(typed).ascii), n: random.int(1, 4) };
        messages.push({ sn, conn: boot, content: { kind: 'event', body: { id: `${boot}-${ago * 100 + i}`, k: 'danger', t, doc } } });
      }
  await storeMessages(pool, now, 'demo', messages);
};
