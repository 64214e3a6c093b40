/** Refuses an order number that one of the providers would not accept. */
export const checkOrderNo = (orderNo: string): string => {
  if (!/^[\w-]{6,32}$/.test(orderNo)) throw new RangeError(`not an order number: ${orderNo}`);
  return orderNo;
};
