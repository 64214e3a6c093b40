import type { FeedbackLevel, FeedbackType } from '@farlink/contract/feedback/choices.ts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { handleFeedback } from '../domain/feedback/handle-feedback.ts';
import { submitFeedback } from '../domain/feedback/submit-feedback.ts';
import type { Db, Deps } from '../kit/deps.ts';

interface DemoFeedback {
  readonly type: FeedbackType;
  readonly level: FeedbackLevel;
  readonly content: string;
  readonly images?: 1 | 2;
  readonly answer?: string;
}

const demoFeedback: readonly DemoFeedback[] = [
  { type: 'network', level: 'urgent', content: '船上突然断网，手机显示已连接但打不开网页。No network since a minute ago.', images: 2 },
  {
    type: 'network',
    level: 'middle',
    content: '晚上视频很卡，白天正常。Video is slow in the evening.',
    answer: '晚间带宽已扩容，请再试。',
  },
  { type: 'device', level: 'middle', content: '三层甲板的AP经常掉线。The AP on deck 3 drops often.', images: 1 },
  {
    type: 'portal',
    level: 'general',
    content: '门户页面的套餐价格显示不全。Prices are cut off in the portal.',
    images: 1,
    answer: '已修正门户模板。',
  },
  { type: 'suggestion', level: 'general', content: '希望增加船员家属套餐。A package for families would be welcome.' },
  {
    type: 'network',
    level: 'general',
    content: '充值后仍显示余额不足。Balance still low after recharge.',
    answer: '充值已到账，请重新登录。',
  },
];

/** VNOs whose subscribers write. Agent mode 2 has no feedback page. */
const fleets = ['T-bluesea', 'T-eastsea', 'T-cruise', 'T-northfish', 'T-silkroad', 'T-indian'];

interface Writer {
  readonly id: number;
  readonly agent_id: number;
  readonly device_id: number;
  readonly account: string;
  readonly phone: string;
  readonly handler: string;
  /** When a link of the device last failed. */
  readonly failed_at: number | null;
}

const writersOf = async (db: Db): Promise<readonly Writer[]> => {
  const { rows } = await sql<Writer & { n: number }>`
    select * from (
      select s.id, s.agent_id, s.device_id, s.account, s.phone, c.name as handler,
        row_number() over (partition by s.agent_id order by s.device_id, s.id)::int as n,
        (select max(l.create_at) from wan_link_log l where l.device_id = s.device_id and l.link_state <> 'on') as failed_at
      from subscriber s join agent a on a.id = s.agent_id join customer c on c.agent_id = a.id and c.is_owner
      where a.third_id = any(${fleets}) and s.device_id is not null
    ) w where n <= ${demoFeedback.length} order by agent_id, n`.execute(db);
  return rows;
};

/** The screen of a phone without network; drawn, because the demo has no photos. */
const drawScreen = (hue: number) => {
  const bars = [0, 1, 2].map(
    (i) => `<rect x="${70 + i * 34}" y="${250 - i * 26}" width="22" height="${30 + i * 26}" rx="4" fill="#c8ced8"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="640"><rect width="360" height="640" fill="#f4f6f9"/>
    <rect width="360" height="72" fill="hsl(${hue} 60% 42%)"/><rect x="24" y="28" width="150" height="16" rx="8" fill="#fff" opacity=".9"/>
    ${bars.join('')}<circle cx="236" cy="236" r="46" fill="#d93a36"/><path d="M218 218l36 36M254 218l-36 36" stroke="#fff" stroke-width="9"/>
    <rect x="60" y="330" width="240" height="14" rx="7" fill="#9aa5b4"/><rect x="90" y="358" width="180" height="14" rx="7" fill="#c8ced8"/>
    <rect x="110" y="420" width="140" height="44" rx="22" fill="hsl(${hue} 60% 42%)"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
};

/** Feedback of demo subscribers, about a failure of a link where there was one; some of it is handled. */
export const seedFeedback = async ({ db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>) => {
  const now = clock.now();
  for (const [i, writer] of (await writersOf(db)).entries()) {
    const text = demoFeedback[i % demoFeedback.length];
    if (!text) continue;
    const { images = 0, answer, type, level, content } = text;
    const usual = now - 3600 * (5 + i * 7);
    const at =
      type === 'network' && writer.failed_at !== null && writer.failed_at > now - 80 * 86_400 ? writer.failed_at + 240 + i * 60 : usual;
    const attachments = await Promise.all(Array.from({ length: images }, (_, n) => drawScreen((i * 47 + n * 30) % 360)));
    const { handler, failed_at: _, id: subscriber_id, ...sender } = writer;
    const input = { ...sender, subscriber_id, type, level, content, attachments };
    const { id } = await submitFeedback({ db, config, clock: { now: () => Math.min(at, now - 60) } }, input);
    if (answer) await handleFeedback(db, id, { status: 1, level, remark: answer }, handler, Math.min(at + 3 * 3600, now));
  }
};
