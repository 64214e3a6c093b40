import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';

export interface LedgerCheck {
  readonly balanced: boolean;
  /** Sum of the selected ledgers; zero when they balance. */
  readonly off: string;
  readonly accounts: number;
}

/** Quick check by account balances. Each single entry is balanced by the database itself. */
export const checkLedger = async (db: Db, condition: RawBuilder<SqlBool> = sql<SqlBool>`true`): Promise<LedgerCheck> => {
  const { rows } = await sql<{ off: string; unbalanced: number; accounts: number }>`
    select coalesce(sum(amount), 0)::numeric(16, 2)::text as off, coalesce(sum(n), 0)::int as accounts,
      count(*) filter (where amount <> 0)::int as unbalanced
    from (select agent_id, sum(amount) as amount, count(*) as n from ledger_account where ${condition} group by agent_id) books`.execute(
    db,
  );
  const { off = '0.00', unbalanced = 0, accounts = 0 } = rows[0] ?? {};
  return { balanced: unbalanced === 0, off, accounts };
};

/** Full audit: account and subscriber balances against the postings, sums of months against the bills. Returns the faults. */
export const auditLedger = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ fault: string }>`
    select 'entry ' || entry_id || ' is off by ' || sum(amount) as fault from ledger_posting group by entry_id having sum(amount) <> 0
    union all
    select 'account ' || a.id || ' has ' || a.amount || ', its postings sum to ' || coalesce(p.amount, 0)
      from ledger_account a left join (select account_id, sum(amount) amount from ledger_posting group by account_id) p on p.account_id = a.id
      where a.amount <> coalesce(p.amount, 0)
    union all
    select 'subscriber ' || s.id || ' has ' || s.balance || ', the ledger has ' || coalesce(-a.amount, 0)
      from subscriber s left join (select detail, sum(amount) amount from ledger_account where kind = 'balance' group by detail) a on a.detail = s.id::text
      where s.balance <> coalesce(-a.amount, 0)
    union all
    select 'sums of ' || list || ' bills of VNO ' || agent_id || ' in the month from ' || month || ' are wrong'
      from bill_month m full join bill_month_of_bills b using (list, agent_id, month)
      where (coalesce(m.income, 0), coalesce(m.expend, 0), coalesce(m.discount, 0), coalesce(m.net_income, 0))
        <> (coalesce(b.income, 0), coalesce(b.expend, 0), coalesce(b.discount, 0), coalesce(b.net_income, 0))
    union all
    select 'sums of ' || list || ' bills of the branch of VNO ' || agent_id || ' in the month from ' || month || ' are wrong'
      from (select list, agent_id, month, sum(income) as income, sum(expend) as expend, sum(discount) as discount, sum(net_income) as net_income
          from (select list, agent_id, month, income, expend, discount, net_income from bill_branch_month
            union all select c.list, branch, c.month, c.income, c.expend, c.discount, c.net_income
              from bill_month_change c join agent a on a.id = c.agent_id, unnest(branches_of(a.path)) branch) stored group by 1, 2, 3) s
        full join bill_branch_month_of_vnos v using (list, agent_id, month)
      where (coalesce(s.income, 0), coalesce(s.expend, 0), coalesce(s.discount, 0), coalesce(s.net_income, 0))
        <> (coalesce(v.income, 0), coalesce(v.expend, 0), coalesce(v.discount, 0), coalesce(v.net_income, 0))
    union all
    select 'collections of account ' || customer_id || ' for VNO ' || agent_id || ' by ' || pay_method || ' on the day from ' || day || ' are wrong'
      from collection_day c
        full join (select customer_id, agent_id, day, pay_method, sum(amount) as amount from collected_by_operator group by 1, 2, 3, 4) b
        using (customer_id, agent_id, day, pay_method)
      where customer_id in (select id from customer) and coalesce(c.net_income, 0) <> coalesce(b.amount, 0)
    union all
    select 'settlement of VNO ' || agent_id || ' with VNO ' || collector_id || ' for ' || period || ' is wrong'
      from settlement s full join settlement_of_bills b using (collector_id, agent_id, period)
      where (coalesce(s.payments, 0), coalesce(s.paid, 0), coalesce(s.refunds, 0), coalesce(s.refunded, 0))
        <> (coalesce(b.payments, 0), coalesce(b.paid, 0), coalesce(b.refunds, 0), coalesce(b.refunded, 0))
    limit 100`.execute(db);
  return rows.map(({ fault }) => fault);
};
