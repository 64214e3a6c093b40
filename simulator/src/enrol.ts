import { downEnrol } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { downTopic, enrolPrefix, upTopic } from '@farlink/gateway/protocol/topic.ts';
import { Client, Closed } from './client.ts';

interface Stranger {
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
  readonly sn: string;
  readonly code: string;
  readonly hw: string;
  readonly model: string;
  readonly fw: string;
}

export interface EnrolReply {
  readonly refusal?: number;
  readonly st?: number;
  readonly key?: string;
}

/** Requests a device key with a merchant code over MQTT. Resolves with the state of the binding, and with the key if it is issued. */
export const enrolAt = async ({ sn, code, hw, model, fw, ...where }: Stranger): Promise<EnrolReply> => {
  const response = Promise.withResolvers<string>();
  response.promise.catch(() => {});
  const client = new Client({
    ...where,
    clientId: sn,
    username: sn,
    password: `${enrolPrefix}${code}`,
    onMessage: (_, body) => response.resolve(body),
    onClose: (reason) => response.reject(new Closed(reason)),
  });
  const { reasonCode } = await client.connect();
  if (reasonCode !== 0) return { refusal: reasonCode };
  await client.subscribe(downTopic(sn, 'enrol'));
  await client.publish(upTopic(sn, 'enrol'), JSON.stringify({ hw, model, fw }));
  const parsed = parseJson(downEnrol, await response.promise);
  client.disconnect();
  return 'value' in parsed ? parsed.value : {};
};
