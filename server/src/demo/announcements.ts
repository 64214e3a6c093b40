import { type AnnouncementValues, insertAnnouncement, publishAnnouncement } from '../domain/announcement/publish.ts';
import type { Db } from '../kit/deps.ts';

const day = 86_400;

interface DemoAnnouncement extends Pick<AnnouncementValues, 'title' | 'content' | 'target'> {
  /** Publisher; the platform without one. */
  readonly by?: string;
  /** Chosen VNOs. */
  readonly to?: readonly string[];
  /** Days ago; without it the announcement is a draft. */
  readonly sent?: number;
  /** Days from now. */
  readonly expires: number;
  readonly off?: true;
}

const demoAnnouncements: readonly DemoAnnouncement[] = [
  {
    title: '6D波束切换维护 6D beam maintenance',
    target: 'vno',
    sent: 0.1,
    expires: 5,
    content:
      '本周日02:00-04:00（UTC+8）南海6D波束维护，期间自动切换至L波段，资费不变。\nThe 6D beam over the South China Sea is maintained on Sunday 02:00-04:00 (UTC+8). Gateways use L-band meanwhile, at the same price.',
  },
  {
    title: '固件 02.04.00 发布 Firmware 02.04.00',
    target: 'vno',
    sent: 6,
    expires: 20,
    to: ['bluesea', 'northfish', 'silkroad'],
    content:
      '新固件改进了LTE与低轨切换。建议先升级一条船观察两天。\nThe firmware improves switching between LTE and LEO. Upgrade one ship first and watch it for two days.',
  },
  {
    title: '值班安排 Duty roster',
    target: 'admin',
    sent: 2,
    expires: 12,
    content: '本月夜班电话转接至一号值班室。\nNight calls of this month go to duty room one.',
  },
  {
    title: '台风提醒 Typhoon warning',
    target: 'subscriber',
    sent: 0.3,
    expires: 2,
    content:
      '受台风影响，东海海域网络可能变慢，敬请谅解。\nThe typhoon may slow the network in the East China Sea. Thank you for your patience.',
  },
  {
    title: '春节资费 Spring Festival prices',
    target: 'vno',
    expires: 60,
    content: '春节期间套餐优惠方案（草稿，待财务确认）。\nPackage discounts over the Spring Festival (draft, to be confirmed).',
  },
  {
    title: '九月对账 September statement',
    target: 'vno',
    sent: 45,
    expires: -30,
    content: '请于月底前核对九月账单。\nPlease check the September bills before the end of the month.',
  },
  {
    title: '旧版网关停用 Old gateways',
    target: 'vno',
    sent: 15,
    expires: 90,
    off: true,
    content: '旧版网关将停用，方案调整中。\nOld gateways will be retired; the plan is being revised.',
  },
  {
    by: 'bluesea',
    title: '船员套餐上新 New crew packages',
    target: 'vno',
    sent: 1,
    expires: 14,
    content: '新增船员月套餐，可在套餐列表查看。\nNew monthly crew packages are in the package list.',
  },
  {
    by: 'bluesea',
    title: '客服热线调整 New hotline',
    target: 'subscriber',
    sent: 3,
    expires: 30,
    content: '客服热线服务时间调整为每日08:00-22:00。\nThe hotline is now open daily 08:00-22:00.',
  },
  {
    by: 'bluesea',
    title: '年度回访 Yearly survey',
    target: 'subscriber',
    expires: 40,
    to: ['eastsea', 'cruise'],
    content: '年度满意度回访（草稿）。\nYearly satisfaction survey (draft).',
  },
];

/** Announcements of the platform and of a VNO: sent, expired, disabled and drafts. */
export const seedAnnouncements = async (db: Db, now: number) => {
  const owners = await db
    .selectFrom('customer')
    .innerJoin('agent', 'agent.id', 'customer.agent_id')
    .select(['agent.id', 'customer.username', 'customer.name'])
    .where('customer.is_owner', '=', true)
    .execute();
  const ownerOf = (username: string) => {
    const owner = owners.find((each) => each.username === username);
    if (!owner) throw new Error(`the demo has no account ${username}`);
    return owner;
  };
  for (const { by = 'admin', to, sent, expires, off, title, content, target } of demoAnnouncements) {
    const sender = ownerOf(by);
    const at = Math.floor(now - (sent ?? 1) * day);
    const values = { title, content, target, vno_ids: to ? to.map((name) => ownerOf(name).id) : null, expire_at: now + expires * day };
    const { id } = await insertAnnouncement(db, sender.id, { ...values, status: off ? 0 : 1 }, at - 1800);
    const announcement = await db.selectFrom('notice').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    if (sent !== undefined) await publishAnnouncement(db, announcement, sender.name, at);
  }
};
