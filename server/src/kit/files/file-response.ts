import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

interface FileContent {
  readonly body: Readable | Buffer | string;
  /** MIME type. */
  readonly type: string;
  /** With a name the browser saves the file; without one it shows it. */
  readonly name?: string;
  readonly size?: number;
}

/** RFC 6266: the name in ASCII and in UTF-8, because some clients read only ASCII. */
const disposition = (name: string) => {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const utf8 = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
};

/** Returned by a verb whose reply is a file instead of the envelope. */
export class FileResponse {
  readonly content: FileContent;

  constructor(content: FileContent) {
    this.content = content;
  }

  send(reply: FastifyReply): FastifyReply {
    const { body, type, name, size } = this.content;
    reply.type(type).header('x-content-type-options', 'nosniff').header('cache-control', 'no-store');
    if (name !== undefined) reply.header('content-disposition', disposition(name));
    if (size !== undefined) reply.header('content-length', size);
    return reply.send(body);
  }
}
