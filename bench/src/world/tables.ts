/** Size of the data set; the size of other tables follows from it. */
export interface WorldSize {
  readonly vnos: number;
  readonly devices: number;
  readonly users: number;
}

/** BENCH_WORLD=0.02 makes a small data set, to try the bench. */
export const worldShare = Number(process.env.BENCH_WORLD ?? 1);
export const fullWorld: WorldSize = {
  vnos: Math.max(100, 2 * Math.round(1000 * worldShare)),
  devices: 100 * Math.round(1000 * worldShare),
  users: 1000 * Math.round(1000 * worldShare),
};

/** The VNO with a fifth of all rows, in its branch of about 200 VNOs. The next nine are its siblings. */
export const largeVno = { id: 2, username: 'bench' };
const tops = 10;

/** Time of the newest row. */
const now = 1_790_000_000;

/**
 * The owner of row `g`: every fifth row belongs to the branch of the large VNO, half of those to the VNO itself. A hash spreads the rows,
 * so that adjacent rows have different owners.
 */
const owner = (g = 'g') => `(select id from bench_owner o where o.slot = (hashint8(${g}) & 2147483647) % 4000)`;
const hash = (g: string, salt: string) => `(hashtext(${g}::text || '${salt}') & 2147483647)`;
const oneOf = (values: readonly string[], g: string, salt: string) =>
  `(array[${values.map((v) => `'${v}'`).join(',')}])[1 + ${hash(g, salt)} % ${values.length}]`;

const surnames = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕'.split('');
const givenNames =
  '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰飞红鑫波斌宇浩凯健俊帆雪琳晨辉建国文志海永林玲丹萍莉鹏翔龙云峰成东亮宁欣怡佳慧雨思远'.split(
    '',
  );
/** Two characters for 40 % of the names, else three. */
const person = (g: string) =>
  `${oneOf(surnames, g, 's')} || ${oneOf(givenNames, g, 'a')} || case when ${hash(g, 'l')} % 5 < 2 then '' else ${oneOf(givenNames, g, 'b')} end`;
const model = (g: string) => oneOf(['FL-100', 'FL-200', 'FL-300', 'FL-500S'], g, 'm');
const network = (g: string) => oneOf(['6d', 'l_band', 'lte', 'low_orbit', 'unknown'], g, 'n');

export interface Filling {
  readonly table: string;
  readonly sql: string;
}

const agents = ({ vnos }: WorldSize): Filling[] => [
  {
    table: 'agent',
    sql: `insert into agent (id, parent_id, path, agent_level, name, code, role_id, agent_mode, agent_child_enable, contacts, phone, create_at, update_at)
      select id, parent, case when id <= ${tops + 1} then '/1/' when parent <= ${tops + 1} then '/1/' || parent || '/' else '/1/' || (2 + parent % ${tops}) || '/' || parent || '/' end || id || '/',
        case when id <= ${tops + 1} then 1 when parent <= ${tops + 1} then 2 else 3 end, ${person('id')} || '船务 ' || id, 'BV' || id, (select role_id from agent where id = ${largeVno.id}), 3, true,
        ${person('id')}, '1391' || lpad(id::text, 7, '0'), ${now} - 1000000 + id, ${now}
      from (select g::bigint id, case when g <= ${tops + 1} then 1 when g <= ${vnos / 2} then 2 + g % ${tops} else ${tops + 2} + g % ${vnos / 2 - tops - 1} end::bigint parent
        from generate_series(${largeVno.id + 1}, ${vnos + 1}) g) v order by id`,
  },
  {
    table: 'customer',
    sql: `insert into customer (agent_id, kind, is_owner, username, name, phone, password_hash, create_at, update_at, role_id, income_limit)
      select a.id, case when n = 0 then 'vno' else 'sub' end, n = 0, 'staff' || a.id || '_' || n, ${person('(a.id * 7 + n)')}, '137' || lpad((a.id * 5 + n)::text, 8, '0'), '-', ${now} - 500000 + a.id * 5 + n, ${now},
        a.role_id, case when n > 0 then 1000 * n end
      from agent a, generate_series(0, 4) n where a.id > ${largeVno.id}`,
  },
  {
    table: 'bench_owner',
    sql: `create table bench_owner as
      with ranked as (select id, inside, row_number() over (partition by inside order by id) - 1 as n, count(*) over (partition by inside) as k
        from (select id, path like '/1/${largeVno.id}/_%' as inside from agent where id <> ${largeVno.id}) a)
      select slot, coalesce(r.id, ${largeVno.id}) as id from generate_series(0, 3999) slot
      left join ranked r on slot >= 400 and r.inside = (slot < 800) and r.n = slot % r.k`,
  },
  { table: 'bench_owner', sql: 'alter table bench_owner add primary key (slot)' },
];

const sold = ({ devices }: WorldSize): Filling[] => [
  {
    table: 'device_group',
    sql: `insert into device_group (agent_id, name, create_at) select ${owner()}, '船队 ' || g, ${now} - g from generate_series(1, ${devices / 20}) g`,
  },
  {
    table: 'device',
    sql: `insert into device (agent_id, name, sn, create_at, model, merchant_code, auth_status, auth_expire_at, online_state, boot_at, version, current_link, network, docker_status, opt_status,
        online_at, offline_at, access_at, device_type, billing_mode, link_lock, change_mode, transfer_status, device_group_id, boot, caps)
      select ${owner()}, ${oneOf(['远洋', '东海', '南海', '北渔', '蓝海', '云帆'], 'g', 'd')} || ${oneOf(givenNames, 'g', 'e')} || '号 ' || g, 'FL' || lpad((g::bigint * 7919 % 100000007)::text, 10, '0'), ${now} - 3000000 + g, ${model('g')},
        'MC' || g % 500, ${oneOf(['formal', 'formal', 'formal', 'formal', 'formal', 'formal', 'formal', 'formal', 'test', 'expired'], 'g', 'f')}, ${now} + ${hash('g', 'g')} % 30000000,
        case when ${hash('g', 'o')} % 3 > 0 then 1 else 0 end, ${now} - ${hash('g', 'h')} % 5000000, '3.' || g % 7 || '.' || g % 13, 'wan1', ${network('g')}, g % 5, ${oneOf(['uninitialized', 'initialized', 'update_available'], 'g', 'i')},
        ${now} - ${hash('g', 'j')} % 4000000, ${now} - ${hash('g', 'k')} % 4000000, ${now} - ${hash('g', 'q')} % 2000000, ${oneOf(['ship', 'ship', 'ship', 'fixed', 'vehicle', 'portable'], 'g', 't')}, g % 4,
        ${oneOf(['unlocked', 'unlocked', 'unlocked', 'unlocked', 'global', 'second_satellite'], 'g', 'u')}, ${oneOf(['default', 'backup', 'roaming'], 'g', 'v')}, case when g % 1000 = 0 then 'failed' end, null, 'b', case when g % 50 = 0 then '{}' else '{danger}' end::text[]
      from generate_series(1, ${devices}) g`,
  },
  {
    table: 'device',
    sql: `update device d set device_group_id = x.id from (select distinct on (agent_id) agent_id, id from device_group) x where x.agent_id = d.agent_id and d.id % 4 = 0`,
  },
  { table: 'danger_list', sql: 'update danger_list set rev = 50, digest = 4711' },
  {
    // Most gateways have the current list; some wait, are being sent it, or have another one, and one in fifty does not support it.
    table: 'danger_sync',
    sql: `insert into danger_sync (device_id, sent, acked, count, digest, odd_digest, sent_at, acked_at)
      select id, case when id % 20 = 0 then 40 else 50 end, case when id % 20 = 0 then 40 when id % 33 = 0 then 45 else 50 end, 10,
        case when id % 97 = 0 then 'aaaaaaaaaaaaaa' else lpad(to_hex(4711), 14, '0') end, case when id % 97 = 0 then 'aaaaaaaaaaaaaa' end, 1, 1
      from device where 'danger' = any(caps) and id % 61 <> 0`,
  },
  {
    table: 'device_status',
    sql: `insert into device_status (device_id, boot, n, at, seen_at, lat, lon, links, lan, online_users)
      select id, 'b', 1, ${now}, ${now}, hashint8(id)::bigint % 60, hashint8(id * 7)::bigint % 180, jsonb_build_object('6d', jsonb_build_object('state', 'on'), 'lte', jsonb_build_object('state', 'off')), '{1,0,1,1}', id % 40 from device`,
  },
  {
    table: 'application',
    sql: `insert into application (agent_id, name, mode, configure, create_at, update_at) select ${owner()}, '应用模板 ' || g, g % 2, '{"1-1"}', ${now} - g, ${now} from generate_series(1, 2000) g`,
  },
  {
    table: 'policy',
    sql: `insert into policy (agent_id, name, ratio, action, create_at, update_at) select ${owner()}, '管控策略 ' || g, 1 + g % 100, g % 3, ${now} - g, ${now} from generate_series(1, 2000) g`,
  },
  {
    table: 'package',
    sql: `insert into package (agent_id, kind, name, package_type, flow_capacity, flow_unit, time_capacity, time_unit, price, priority, weight, online_type, is_hide, device_ids, expire_at, create_at, update_at)
      select d.agent_id, case when g % 5 = 0 then 'extra' else 'online' end, ${oneOf(['船员', '旅客', '高速', '全球', '近海'], 'g', 'p')} || '套餐 ' || g, case when g % 3 = 0 then 'time_flow' else 'flow' end, 1 + g % 50, 'GB',
        case when g % 3 = 0 then 30 end, case when g % 3 = 0 then 'day' end, 10 + g % 300, g % 200, g % 100, g % 3, g % 20 = 0, array[d.id], case when g % 4 = 0 then ${now} + g * 1000 end, ${now} - 100000 + g, ${now}
      from generate_series(1, ${devices / 10}) g join device d on d.id = (select min(id) from device) + ${hash('g', 'w')} % ${devices}`,
  },
];

const subscribers = ({ users, devices }: WorldSize): Filling[] => [
  {
    table: 'subscriber',
    sql: `insert into subscriber (agent_id, account, password, account_type, account_source, status, name, phone, email, device_id, bind_mac, expire_at, balance, custom_policy, allow_logins, package_id, package_status,
        online_count, create_at, update_at, producer, first_use_at)
      select d.agent_id, 'u' || lpad((g::bigint * 104729 % 100000000)::text, 8, '0'), '-', ${oneOf(['maritime_crew', 'maritime_crew', 'maritime_crew', 'personal', 'personal', 'small_station', 'job', 'temp_card', 'maritime_ship'], 'g', 'y')},
        ${oneOf(['counter', 'counter', 'batch', 'batch', 'batch', 'batch', 'personal'], 'g', 'z')}, case when ${now} + ${hash('g', 'B')} % 30000000 - 3000000 <= extract(epoch from now()) then 'expired' else ${oneOf([...Array(16).fill('normal'), 'disabled', 'expired', 'frozen', 'shutdown'], 'g', 'A')} end, ${person('g')},
        '138' || lpad((g::bigint * 7919 % 100000000)::text, 8, '0'), 'm' || g || '@mail.example', d.id, case when g % 10 = 0 then upper(substr(md5(g::text), 1, 12)) end, ${now} + ${hash('g', 'B')} % 30000000 - 3000000, ${hash('g', 'C')} % 500,
        g % 50 = 0, case when g % 10 = 0 then 1 else 1 + ${hash('g', 'D')} % 5 end, p.id, ${oneOf(['normal', 'normal', 'normal', 'to_be_used', 'expired', 'exhausted', 'not_active'], 'g', 'E')}, case when g % 30 = 0 then 1 else 0 end,
        ${now} - 100000000 + g * 100, ${now}, 'admin', ${now} - 90000000 + g * 80
      from generate_series(1, ${users}) g
      join device d on d.id = (select min(id) from device) + ${hash('g', 'F')} % ${devices}
      left join package p on p.id = (select min(id) from package) + ${hash('g', 'G')} % ${devices / 10}`,
  },
  {
    table: 'device',
    sql: 'update device d set account_count = s.n from (select device_id, count(*) n from subscriber group by 1) s where s.device_id = d.id',
  },
  {
    table: 'holding',
    sql: `insert into holding (subscriber_id, package_id, agent_id, price, start_at, activated_at, expire_at, ends_at, used_flow, used_time, state, create_at)
      select s.id, s.package_id, s.agent_id, 98, s.create_at, s.create_at, s.create_at + 1000000 + ${hash('s.id', 'H')} % 90000000, s.create_at + 1000000 + ${hash('s.id', 'H')} % 90000000, ${hash('s.id', 'I')}, ${hash('s.id', 'J')} % 1000000, s.package_status, s.create_at
      from subscriber s where s.package_id is not null`,
  },
  {
    table: 'sync_log',
    sql: `insert into sync_log (agent_id, device_id, direction, total, success_count, fail_count, result, duration, create_at)
      select d.agent_id, d.id, case when n % 2 = 0 then 'down' else 'up' end, 10, 10, (d.id + n) % 7, ${oneOf(['success', 'success', 'success', 'fail', 'partial'], '(d.id * 7 + n)', 'K')}, n, ${now} - ${hash('(d.id * 7 + n)', 'L')} % 5000000 from device d, generate_series(1, 3) n`,
  },
  {
    table: 'policy_log',
    sql: `insert into policy_log (agent_id, subscriber_id, account, device_id, policy_source, custom_policy, result, operator, create_at)
      select agent_id, id, account, device_id, ${oneOf(['account_default', 'user_defined', 'package_bound', 'device_local'], 'id', 'M')}, id % 9 = 0, ${oneOf(['success', 'success', 'success', 'fail'], 'id', 'N')}, 'admin', create_at from subscriber where id % 3 = 0`,
  },
];

const money = ({ users }: WorldSize): Filling[] => [
  {
    table: 'ledger_entry',
    sql: `insert into ledger_entry (agent_id, cause, bill_no, channel, expense_type, state, pay_method, income, discount, subscriber_id, account, user_name, account_type, account_source, package_id, package_name, device_id, operator, create_at)
      select s.agent_id, 'bench:' || s.id, 'B' || s.create_at || 'C' || s.id, 'counter', ${oneOf(['open', 'open', 'open', 'recharge', 'change_package', 'extra_package'], 's.id', 'O')}, case when s.id % 40 = 0 then 'revoked' else 'settled' end,
        ${oneOf(['cash', 'wechat', 'alipay', 'pos', 'transfer'], 's.id', 'P')}, 10 + ${hash('s.id', 'Q')} % 300, ${hash('s.id', 'R')} % 10, s.id, s.account, s.name, s.account_type, s.account_source, s.package_id, 'pkg', s.device_id,
        case when s.id % 3 = 0 then 'admin' else 'staff' || s.agent_id || '_1' end, s.create_at
      from subscriber s`,
  },
  {
    table: 'card_rule',
    sql: `insert into card_rule (agent_id, batch_no, name, card_type, denomination, count, made_count, expire_at, state, producer, create_at, update_at)
      select ${owner()}, 'CB' || g, '批次 ' || g, 'amount', 10 + g % 20 * 10, 100, 100, ${now} + 20000000 + g * 1000, 'ready', 'admin', ${now} - 900000 + g * 100, ${now} from generate_series(1, ${users / 200}) g`,
  },
  {
    table: 'recharge_card',
    sql: `insert into recharge_card (rule_id, agent_id, number, password, status, expire_at, used_at, used_user, create_at)
      select r.id, r.agent_id, 'C' || lpad((r.id * 100 + n)::text, 15, '0'), '-', case when n < 40 then 'used' when n < 45 then 'expired' when n < 50 then 'disabled' else 'unused' end, r.expire_at,
        case when n < 40 then ${now} - ${hash('(r.id * 100 + n)', 'S')} % 3000000 end, case when n < 40 then ${person('(r.id * 100 + n)')} end, r.create_at
      from card_rule r, generate_series(0, 99) n`,
  },
  {
    table: 'ledger_entry',
    sql: `insert into ledger_entry (agent_id, cause, bill_no, channel, expense_type, income, account, user_name, card_id, operator, create_at)
      select agent_id, 'benchcard:' || id, 'B' || used_at || 'K' || id, 'card', 'recharge', 10 + id % 20 * 10, 'u' || id, used_user, id, 'admin', used_at from recharge_card where status = 'used' and id % 2 = 0`,
  },
  {
    table: 'pay_order',
    sql: `insert into pay_order (agent_id, order_no, channel, state, expense_type, subscriber_id, user_name, package_id, package_name, amount, trade_no, device_id, operator, pay_at, expire_at, create_at)
      select agent_id, 'O' || lpad(id::text, 14, '0'), case when id % 2 = 0 then 'wechat' else 'alipay' end, case when id % 10 = 0 then 'expired' else 'paid' end, 'recharge', id, name, package_id, 'pkg', 10 + id % 200,
        case when id % 10 > 0 then 'T' || id end, device_id, account, case when id % 10 > 0 then create_at + 60 end, create_at + 900, create_at
      from subscriber where id % 4 = 1`,
  },
  {
    table: 'ledger_entry',
    sql: `insert into ledger_entry (agent_id, cause, bill_no, channel, expense_type, pay_method, income, subscriber_id, account, user_name, package_id, package_name, device_id, order_id, operator, create_at)
      select o.agent_id, 'benchorder:' || o.id, 'B' || o.create_at || 'N' || o.id, 'online', 'recharge', o.channel, o.amount, o.subscriber_id, o.operator, o.user_name, o.package_id, 'pkg', o.device_id, o.id, o.operator, o.create_at from pay_order o where o.state = 'paid'`,
  },
];

const logs = ({ users }: WorldSize): Filling[] => [
  {
    table: 'syslog',
    sql: `insert into syslog (agent_id, customer_id, username, name, module, action, content_zh, content_en, result, ip, user_agent, create_at)
      select a, null, 'staff' || a || '_' || g % 5, 'Operator', ${oneOf(['user', 'device', 'finance', 'permission', 'package'], 'g', 'T')}, ${oneOf(['create', 'update', 'delete', 'command', 'export'], 'g', 'U')}, '修改账号 ' || left(md5(g::text), 8), 'Changed account ' || left(md5(g::text), 8),
        case when g % 20 = 0 then 'fail' else 'success' end, '10.0.' || g % 256 || '.' || g % 251, 'bench', ${now} - 100000000 + g * 100
      from (select g, ${owner()} a from generate_series(1, ${users}) g) x`,
  },
  {
    table: 'wan_link_log',
    sql: `insert into wan_link_log (agent_id, device_id, sn, link, network, link_state, duration, create_at)
      select d.agent_id, d.id, d.sn, 'wan' || n, ${network('(d.id * 5 + n)')}, ${oneOf(['on', 'on', 'on', 'off', 'abnormal'], '(d.id * 5 + n)', 'V')}, ${hash('(d.id * 5 + n)', 'W')} % 100000, ${now} - ${hash('(d.id * 5 + n)', 'X')} % 7000000 from device d, generate_series(1, 5) n`,
  },
  {
    table: 'ap_link_log',
    sql: `insert into ap_link_log (agent_id, device_id, sn, ap_name, ap_mac, ap_state, duration, create_at)
      select d.agent_id, d.id, d.sn, '甲板 ' || n, upper(substr(md5((d.id * 3 + n)::text), 1, 12)), ${oneOf(['up', 'up', 'offline'], '(d.id * 3 + n)', 'Y')}, ${hash('(d.id * 3 + n)', 'Z')} % 100000, ${now} - ${hash('(d.id * 3 + n)', '1')} % 7000000 from device d, generate_series(1, 3) n`,
  },
  {
    table: 'wan_change',
    sql: `insert into wan_change (agent_id, device_id, sn, source, from_link, to_link, network, link_state, change_mode, link_lock, result, create_at)
      select d.agent_id, d.id, d.sn, case when n = 1 then 'send' else 'wan' end, 'wan1', 'wan2', ${network('(d.id * 3 + n)')}, 'on', ${oneOf(['default', 'backup', 'roaming'], '(d.id * 3 + n)', '2')}, 'unlocked', 'success', ${now} - ${hash('(d.id * 3 + n)', '3')} % 7000000 from device d, generate_series(1, 3) n`,
  },
  {
    table: 'fence_change',
    sql: `insert into fence_change (agent_id, device_id, sn, fence_name, fence_state, network, create_at)
      select d.agent_id, d.id, d.sn, '禁区 ' || d.id % 50, case when d.id % 2 = 0 then 'in' else 'out' end, ${network('d.id')}, ${now} - ${hash('d.id', '4')} % 7000000 from device d`,
  },
  {
    table: 'docker_log',
    sql: `insert into docker_log (agent_id, device_id, sn, container, docker_status, action, result, create_at)
      select d.agent_id, d.id, d.sn, ${oneOf(['proxy', 'cache', 'probe', 'portal'], 'd.id', '5')}, d.id % 5, ${oneOf(['start', 'stop', 'restart', 'install'], 'd.id', '6')}, 'success', ${now} - ${hash('d.id', '7')} % 7000000 from device d`,
  },
  {
    table: 'role_assign_log',
    sql: `insert into role_assign_log (agent_id, device_id, sn, username, result, operator, create_at)
      select d.agent_id, d.id, d.sn, 'crew', case when d.id % 9 = 0 then 'fail' else 'success' end, 'admin', ${now} - ${hash('d.id', '8')} % 7000000 from device d`,
  },
  {
    table: 'device_backup',
    sql: `insert into device_backup (device_id, agent_id, sn, device_name, file_name, backup_type, version, size, md5, sha256, key, create_at)
      select d.id, d.agent_id, d.sn, d.name, d.sn || '.tar', case when d.id % 3 = 0 then 'manual' else 'auto' end, d.version, ${hash('d.id', '9')} % 100000000, md5(d.sn), '-', '-', ${now} - ${hash('d.id', '0')} % 7000000 from device d`,
  },
  {
    table: 'file',
    sql: `insert into file (agent_id, batch, name, type, file_name, size, sha256, key, zip, operator, create_at)
      select ${owner()}, 'F' || g, '文件 ' || g, ${oneOf(['config', 'script', 'docker', 'portal', 'media', 'other'], 'g', 'fa')}, 'f.bin', ${hash('g', 'fb')} % 100000000, '-', '-', false, 'admin', ${now} - g * 100 from generate_series(1, 20000) g`,
  },
  {
    table: 'file_task',
    sql: `insert into file_task (task_no, agent_id, file_id, file_name, batch, size, operation, path, send_mode, send_at, state, device_count, operator, create_at)
      select 'T' || f.id, f.agent_id, f.id, f.name, f.batch, f.size, 'none', '/tmp', 'immediate', f.create_at, 'finished', 2, 'admin', f.create_at from file f`,
  },
  {
    table: 'file_task_device',
    sql: `insert into file_task_device (task_id, device_id, agent_id, sn, device_name, status, progress, ended, update_at)
      select t.id, d.id, d.agent_id, d.sn, d.name, 255, 100, true, t.create_at from file_task t join device d on d.id = (select min(id) from device) + ${hash('t.id', 'fc')} % 100000`,
  },
];

/** In production, triggers maintain these counters. */
const counters: readonly Filling[] = [
  {
    table: 'agent',
    sql: `update agent a set device_count = coalesce(d.n, 0), card_count = coalesce(c.n, 0) from agent b
      left join (select agent_id, count(*) n from device group by 1) d on d.agent_id = b.id
      left join (select agent_id, count(*) n from recharge_card group by 1) c on c.agent_id = b.id where a.id = b.id`,
  },
  {
    table: 'package',
    sql: 'update package p set used_count = h.n from (select package_id, count(*) n from holding group by 1) h where h.package_id = p.id',
  },
];

/** In order of references: a table follows the tables that it refers to. */
export const fillings = (size: WorldSize): Filling[] => [
  ...agents(size),
  ...sold(size),
  ...subscribers(size),
  ...money(size),
  ...logs(size),
  ...counters,
];
