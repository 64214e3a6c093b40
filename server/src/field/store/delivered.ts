import { commandState } from '@farlink/contract/protocol/command.ts';
import { storeSent } from './applies.ts';
import type { Delivered, Item, Tx } from './tx.ts';

export const storeDelivered = async (tx: Tx, items: readonly Item<Delivered>[]) => {
  const bundles = items.filter((i) => i.kind === 'sent_set');
  const sections = [
    ...items.filter((i) => i.kind === 'sent_section'),
    ...bundles.flatMap(({ device, sections }) => sections.map((one) => ({ ...one, device }))),
  ];
  const commands = items.filter((i) => i.kind === 'sent_command');
  if (sections.length > 0)
    await tx.query(
      'sent_section',
      `update desired_section s set sent_at = $2 from json_to_recordset($1::json) as u(device bigint, section text, rev integer)
       where s.device_id = u.device and s.section = u.section and s.rev = u.rev`,
      [JSON.stringify(sections), tx.now],
    );
  // A quick result is stored before the acknowledgement of its command.
  if (commands.length > 0)
    await tx.query(
      'sent_command',
      `update device_command c set sent_at = least($2, c.finish_at), sends = least(c.sends + 1, 30000) from json_to_recordset($1::json) as u(device bigint, id text)
       where c.id = u.id and c.device_id = u.device and (c.state = ${commandState.ids.queued} or c.sends = 0)`,
      [JSON.stringify(commands), tx.now],
    );
  if (bundles.length > 0) await storeSent(tx, bundles);
  for (const { device } of sections) tx.changed('section', device);
  for (const { device } of commands) tx.changed('command', device);
};
