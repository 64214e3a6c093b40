import { isFile } from '../../../kit/rules.ts';
import type { JsonObject } from '../../../protocol/shape.ts';
import { satelliteRouteAntenna } from '../../satellite-route/antenna.ts';
import { satelliteRouteBeam } from '../../satellite-route/beam.ts';
import { satelliteRouteModem } from '../../satellite-route/modem.ts';
import { satelliteRouteOpt } from '../../satellite-route/opt.ts';
import type { GuideWriter } from './guide-writer.ts';

/** `Voyager.12345.opt`: operators name these files after the modem. */
const parseFileName = (file: string) => {
  const segments = file.replace(/\.opt$/i, '').split('.');
  const serial = (segments.at(-1) ?? '').replace(/[^A-Za-z0-9_-]/g, '').replace(/^[_-]+|[_-]+$/g, '');
  return { name: segments.join('.').slice(0, 64), serial: serial.slice(0, 32) };
};

const remarkOf = ({ line_up_test: test, noc_contact: phone }: JsonObject) =>
  [test !== undefined && `line-up: ${String(test)}`, phone !== undefined && `NOC ${String(phone)}`].filter(Boolean).join(', ');

/** Writes modem, options file, antenna and, if chosen, the fixed beam. */
export const writeSatelliteCommission = (values: JsonObject, writer: GuideWriter) => {
  const network = String(values.sat_network);
  const modem = writer.row(
    satelliteRouteModem,
    ({ sat_network }) => sat_network === network,
    {
      link: 'link',
      sat_network: 'sat_network',
      modem_type: 'modem_type',
      mgmt_ip: 'modem_ip',
      username: 'modem_user',
      password: 'modem_password',
    },
    { enabled: true },
    { name: `modem_${network}` },
  );
  const { opt_file: file } = values;
  const { name, serial } = parseFileName(isFile(file) ? file.name : network);
  const remark = remarkOf(values);
  writer.row(
    satelliteRouteOpt,
    (row) => row.name === name,
    { opt_file: 'opt_file', sat_network: 'sat_network' },
    { ...(remark !== '' && { remark }) },
    { name, modem_sn: modem.modem_sn ?? (serial || network), activation: 'manual' },
  );
  writer.row(
    satelliteRouteAntenna,
    ({ antenna }) => antenna === 'a',
    { vendor: 'acu_vendor', acu_ip: 'acu_ip', protocol: 'acu_protocol', openamip_port: 'acu_port', heading_input: 'heading_source' },
    { enabled: true },
    { antenna: 'a' },
  );
  if (values.beam_select !== 'manual') return;
  // The lowest number is preferred.
  writer.each(satelliteRouteBeam, (row) => {
    if (row.sat_network !== network) return row;
    return String(row.beam_id) === String(values.beam)
      ? { ...row, enabled: true, preference: 1 }
      : { ...row, preference: Math.max(2, Number(row.preference ?? 100)) };
  });
};
