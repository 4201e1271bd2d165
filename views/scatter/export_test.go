package scatter

// FewOf is the number of contributions that are kept one by one.
var FewOf = fewOf
