var Or=100;export{Or as a};
