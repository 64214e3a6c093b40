import { protocolName } from '@farlink/contract/package/protocol.ts';
import { t } from '../chrome/lang.ts';

/** Names of protocol pairs. The map is large, so it is loaded on first use. */
const ProtocolNames = ({ pairs }: { readonly pairs: readonly string[] }) =>
  pairs.map((pair) => t(protocolName(pair))).join(t(['、', ', ']));
export default ProtocolNames;
