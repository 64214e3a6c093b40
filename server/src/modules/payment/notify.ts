import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bookPayment } from '../../domain/payment/book.ts';
import { PaymentError } from '../../domain/payment/payment-error.ts';
import type { PaymentProvider } from '../../domain/payment/provider.ts';
import { loadChannel } from '../../domain/payment/provider-of.ts';
import type { ChannelRow } from '../../domain/payment/secrets.ts';
import type { Deps } from '../../kit/deps.ts';

const maxBytes = 64 * 1024;

const whyOf = (error: unknown) =>
  error instanceof PaymentError
    ? { reason: error.reason, code: error.code }
    : { reason: error instanceof Error ? error.message : 'unknown' };

/** Returns true after the commit: only then may the provider stop repeating the notice. */
const take = async (deps: Deps, { row, provider }: { row: ChannelRow; provider: PaymentProvider }, request: FastifyRequest) => {
  try {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const callback = await provider.readCallback(request.headers, body);
    // Other notices, such as of our own refunds, change nothing here.
    if (callback.state === 'paid') await bookPayment(deps, row, callback);
    return true;
  } catch (error) {
    deps.log.warn({ ...whyOf(error), channel: row.id }, 'payment notice refused');
    return false;
  }
};

/** Endpoint for payment notices. The signature covers raw bytes, so the body is not parsed before the check. */
export const payNotify = (deps: Deps) => async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_, body, done) => done(null, body));
  const serveChannel = (channel: ChannelRow['channel']) =>
    app.post(`/agt/v1/pay/notify/${channel}/:id`, async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
      const id = /^\d{1,15}$/.test(request.params.id) ? Number(request.params.id) : 0;
      const found = await loadChannel(deps, id).catch((error: unknown) => {
        if (!(error instanceof PaymentError)) throw error;
        return undefined;
      });
      if (found?.row.channel !== channel) return reply.status(404).type('text/plain').send('');
      const { status, type, body } = found.provider.replyTo(await take(deps, found, request));
      return reply.status(status).type(type).send(body);
    });
  serveChannel('alipay');
  serveChannel('wechat');
};
