import type { Module } from '@farlink/contract/kit/endpoint.ts';
import type { Random } from '@farlink/contract/kit/random.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { LogAction } from '@farlink/contract/log/operator-log.ts';
import type { Db } from '../kit/deps.ts';

/** Two years of operator log: logins, changes, refusals. */
const actions: readonly { module: Module; action: LogAction; content: (n: number) => Text; weight: number }[] = [
  { module: 'auth', action: 'login', content: () => ['登录系统', 'Logged in'], weight: 40 },
  { module: 'auth', action: 'logout', content: () => ['退出登录', 'Logged out'], weight: 28 },
  { module: 'permission', action: 'update', content: (n) => [`修改账号 desk_${n}`, `Changed account desk_${n}`], weight: 10 },
  { module: 'permission', action: 'create', content: (n) => [`新增账号 desk_${n}`, `Created account desk_${n}`], weight: 5 },
  { module: 'permission', action: 'update', content: () => ['修改角色 客服', 'Changed role 客服'], weight: 4 },
  { module: 'vno', action: 'update', content: () => ['设置设备登录密码', 'Set the device login password'], weight: 3 },
  { module: 'log', action: 'export', content: () => ['导出操作日志', 'Exported the operator log'], weight: 2 },
];
const refusals: readonly Text[] = [
  ['角色正在使用，无法删除', 'The role is in use and cannot be deleted'],
  ['数据已被他人修改，请刷新后重试', 'Someone else changed this data. Refresh and try again.'],
];
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Version/19.0 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
] as const;

const weightedActions = actions.flatMap((action) => Array.from({ length: action.weight }, () => action));

export const seedHistory = async (db: Db, random: Random, { now, since }: { now: number; since: number }) => {
  const staff = await db.selectFrom('customer').select(['id', 'agent_id', 'username', 'name', 'create_at']).orderBy('id').execute();
  const rows = Array.from({ length: 12_000 }, () => {
    const actor = random.pick(staff);
    const action = random.pick(weightedActions);
    const [content_zh, content_en] = action.content(random.int(1, 60));
    const refused = action.module !== 'auth' && random.next() < 0.06 ? random.pick(refusals) : undefined;
    const result: 'success' | 'fail' = refused ? 'fail' : 'success';
    return {
      agent_id: actor.agent_id,
      customer_id: actor.id,
      username: actor.username,
      name: actor.name,
      module: action.module,
      action: action.action,
      content_zh,
      content_en,
      result,
      message_zh: refused?.[0] ?? null,
      message_en: refused?.[1] ?? null,
      ip: `10.${random.int(8, 40)}.${random.int(0, 255)}.${random.int(2, 254)}`,
      user_agent: random.pick(agents),
      create_at: random.int(Math.max(actor.create_at, since), now - 60),
    };
  }).sort((a, b) => a.create_at - b.create_at);
  for (let i = 0; i < rows.length; i += 1000)
    await db
      .insertInto('syslog')
      .values(rows.slice(i, i + 1000))
      .execute();
  const last = Map.groupBy(
    rows.filter((r) => r.action === 'login'),
    (r) => r.customer_id,
  );
  for (const [id, logins] of last) {
    const latest = logins.at(-1);
    if (latest)
      await db.updateTable('customer').set({ last_login_at: latest.create_at, last_login_ip: latest.ip }).where('id', '=', id).execute();
  }
};
