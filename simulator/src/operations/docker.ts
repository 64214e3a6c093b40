import { gzipSync } from 'node:zlib';
import { obj, oneOf, str } from '@farlink/gateway/protocol/shape.ts';
import { containerActs } from '../containers.ts';
import { upload } from '../upload.ts';
import { source } from './files.ts';
import { operation, type Run } from './operation.ts';
import { done, fail } from './result.ts';

const name = str(128, /^[\w.-]+$/);

/** Containers are available only if they are supported and enabled. */
const withContainers =
  (run: Run): Run =>
  (gateway, act) => {
    if (gateway.containers.status === 0) return fail('unsupported');
    if (gateway.containers.status === 3) return fail('not enabled');
    const { container } = act.args;
    if (typeof container === 'string' && act.args.act !== 'install' && !gateway.containers.has(container)) return fail('no such container');
    return run(gateway, act);
  };

const info = operation(obj({}, { container: name }), (gateway, { container }) => done({ containers: gateway.containers.info(container) }));

const control = operation(
  obj({ container: name, act: oneOf(containerActs) }, { image: str(255) }),
  async (gateway, { container, act, image }) => {
    await gateway.wait(5);
    return gateway.containers.act(container, act, image)
      ? done({ containers: gateway.containers.info(container) })
      : fail('is installed already');
  },
);

const logs = operation(obj({ put: source.url }, { container: name }), async (gateway, { put, container }) => {
  try {
    return done({
      name: `${gateway.sn}-${container ?? 'docker'}.log.gz`,
      ...(await upload(gateway, put, gzipSync(gateway.containers.logs(container)))),
    });
  } catch (error) {
    return fail(`upload: ${error instanceof Error ? error.message : String(error)}`, 200);
  }
});

export const dockerOperations: Readonly<Record<string, Run>> = {
  'docker.info': withContainers(info),
  'docker.ctl': withContainers(control),
  'docker.logs': withContainers(logs),
};
