export const benchWeb = async () => {};
