import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { singleText } from '@farlink/contract/kit/values.ts';
import { isEnabled, linesOf, positionsOf } from './page-rules.ts';
import type { DocOf, PageRule, RuleProblem } from './problem.ts';

const lanPortsOf = (docOf: DocOf) =>
  positionsOf({ kind: 'list' }, docOf('network_lan'))
    .filter(isEnabled)
    .flatMap((lan) =>
      linesOf(lan, 'ports').map(({ values, at }) => ({ port: values.port, path: `${at}port`, name: singleText(lan.values.name) ?? '' })),
    );

const member: Text = ['是LAN“{0}”的成员端口', 'A member port of LAN "{0}"'];
const uplink: Text = ['已被WAN“{0}”使用', 'Used by WAN "{0}"'];

/** The port of a WAN must not be a member of a LAN. */
export const portOutsideLans: PageRule = {
  reads: ['network_lan'],
  test: (doc, docOf, page) => {
    const lanPorts = lanPortsOf(docOf);
    return positionsOf(page, doc)
      .filter(isEnabled)
      .flatMap(({ values, at }): RuleProblem[] => {
        const found = lanPorts.find(({ port }) => port !== undefined && port === values.port);
        if (!found) return [];
        const against = { section: 'network_lan', path: found.path, text: fill(uplink, singleText(values.name) ?? '') };
        return [{ path: `${at}port`, text: fill(member, found.name), against }];
      });
  },
};
