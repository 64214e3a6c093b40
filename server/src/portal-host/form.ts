import type { FastifyRequest } from 'fastify';
import { fail } from '../kit/fail.ts';
import { formFault, wholeParts } from '../kit/files/upload.ts';
import { isWellFormed } from '../kit/http/well-formed.ts';

/** A plain form. Anything else is empty. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams => {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  for (const [name, value] of form) if (!isWellFormed(name) || !isWellFormed(value)) throw fail('bad_input');
  return form;
};

/** A value of a form; empty if it is missing or too long. */
export const fieldOf = (form: URLSearchParams, name: string, max = 128): string => {
  const value = form.get(name) ?? '';
  return value.length > max ? '' : value;
};

interface FileForm {
  readonly form: URLSearchParams;
  readonly files: readonly Uint8Array[];
}

/** A form with small files, read into memory. A file that is too large arrives with one byte more than allowed. */
export const readFiles = async (request: FastifyRequest, field: string, maxFiles: number, maxBytes: number): Promise<FileForm> => {
  const form = new URLSearchParams();
  const files: Uint8Array[] = [];
  const limits = { files: maxFiles + 1, fileSize: maxBytes + 1, fields: 30, fieldSize: 8192, parts: 40 };
  try {
    for await (const part of wholeParts(request.parts({ limits }), request)) {
      if (part.type === 'field') {
        form.append(part.fieldname, String(part.value));
        continue;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of part.file) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      // A browser sends an empty file field as a nameless empty file.
      if (part.fieldname === field && bytes.length > 0) files.push(bytes);
    }
  } catch (error) {
    throw formFault(error);
  }
  for (const [name, value] of form) if (!isWellFormed(name) || !isWellFormed(value)) throw fail('bad_input');
  return { form, files };
};
