import type { Gateway } from './gateway.ts';

/** The portal that serves. */
const portalOf = ({ portal: { served, installing }, portalServer: { port } }: Gateway) => ({
  id: served?.section.id ?? null,
  h: served?.section.h ?? null,
  rev: served?.pages.rev ?? null,
  billing: served?.section.billing ?? null,
  installing: installing ?? null,
  port: port ?? null,
});

/** Actual state of a gateway, to compare with the console. */
export const groundTruthOf = (gateway: Gateway) => {
  const { world, firmware, outgoing, sections } = gateway;
  const { position, links, aps, lan, uptime } = gateway.view();
  return {
    sn: gateway.sn,
    state: gateway.state,
    powered: gateway.powered,
    refusal: gateway.refusal ?? null,
    binding: gateway.connection.binding ?? null,
    connects: gateway.connection.connects,
    boot: gateway.boot,
    uptime,
    clock: gateway.now(),
    model: gateway.model,
    version: firmware.version,
    previous: firmware.previous ?? null,
    link: gateway.current ?? null,
    lock: world.radio.lock,
    mode: world.radio.mode,
    links,
    position,
    fences: world.fences,
    aps,
    lan,
    users: gateway.users.sessions.map(({ sid, acc, mac, ip, u, d }) => ({ sid, acc, mac, ip, u, d })),
    releases: gateway.tempReleases.open,
    accounts: gateway.accounts.summary,
    danger: gateway.danger.summary,
    counters: gateway.accounts.counters(),
    docker: gateway.containers.status,
    containers: gateway.containers.info(),
    portal: portalOf(gateway),
    trial: gateway.configuration.pendingBundleId ?? null,
    files: gateway.files.here,
    downloads: gateway.files.running,
    tunnels: gateway.tunnels.ids,
    sections: Object.fromEntries(
      sections.names.map((name) => [name, { rev: sections.get(name)?.rev ?? 0, doc: sections.get(name)?.doc ?? {} }]),
    ),
    waiting: outgoing.length,
    taken: outgoing.acked,
    refused: outgoing.refused,
  };
};
