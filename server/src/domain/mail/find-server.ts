import { type Selectable, sql } from 'kysely';
import type { MailServerTable } from '../../db/tables.ts';
import type { Config } from '../../env/config.ts';
import type { Db } from '../../kit/deps.ts';
import { open } from '../../kit/session/secret.ts';
import type { SmtpServer } from './smtp.ts';

export type ServerRow = Selectable<MailServerTable>;

/** Mail server of a VNO: its own if enabled, else that of the nearest VNO above. */
export const nearestServer = (db: Db, agentId: number): Promise<ServerRow | undefined> =>
  db
    .selectFrom('mail_server')
    .innerJoin('agent', 'agent.id', 'mail_server.agent_id')
    .selectAll('mail_server')
    .where('mail_server.enable', '=', true)
    .where(sql<boolean>`starts_with((select me.path from agent me where me.id = ${agentId}), agent.path)`)
    .orderBy('agent.agent_level', 'desc')
    .limit(1)
    .executeTakeFirst();

/** With the decrypted password; used only to send. */
export const opened = ({ secretKey }: Pick<Config, 'secretKey'>, row: ServerRow): SmtpServer => {
  const { name, username, host, port, secure, sign } = row;
  return { name, username, host, port, secure, sign, password: open(secretKey, row.password) };
};
