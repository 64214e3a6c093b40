import { protocolName } from '@farlink/contract/package/protocol.ts';
import { t } from '../chrome/lang.ts';

/** The names behind pairs of the protocol map, which is large and comes with its first reader. */
const ProtocolNames = ({ pairs }: { readonly pairs: readonly string[] }) =>
  pairs.map((pair) => t(protocolName(pair))).join(t(['、', ', ']));
export default ProtocolNames;
