import type { Pool } from 'pg';

const day = 86_400;

/** The two traffic figures of the dashboard written by hand: traffic by day with the week before, and the largest applications. */
export const baselineDashboard = async (pool: Pool, today: number) => {
  const start = today - 6 * day;
  const end = today + day - 1;
  await Promise.all([
    pool.query(
      `select time, sum(up_bytes), sum(down_bytes) from agent_flow_day where kind = 'flow_usr' and time between $1 and $2 group by time`,
      [start - 7 * day, end],
    ),
    pool.query(
      `select split_part(protocol_id, '.', 2), sum(up_bytes + down_bytes) from dpi_agent_day where kind = 'dpi_usr' and time between $1 and $2
        group by 1 order by 2 desc limit 10`,
      [start, end],
    ),
  ]);
};
